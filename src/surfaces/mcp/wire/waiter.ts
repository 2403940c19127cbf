// Who waits for the answer to one request: what the method may know of them, and the way back to them.
import type { Caller } from '../../../identity/caller.ts';
import type { Line } from './json-rpc.ts';

export interface Waiter {
  /** Who proved to be calling; absent on stdio. */
  readonly caller: Caller | undefined;
  readonly remote: boolean;
  /** Under which the request is spoken of; absent on stdio. */
  readonly correlationId: string | undefined;
  /** Takes a progress notification; it may drop it when the client does not read. */
  notify(line: string): void;
  /** Takes the answer, or undefined when there will be none. */
  answer(line: Line | undefined): void;
}
