// One HTTP request that has passed the guard: who sent it, from where, its body, and what the caller may take beyond it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../../identity/caller.ts';
import type { Wait } from '../../../limits/rate-window.ts';
import type { RequestTrace } from '../../../values/trace.ts';

export interface AdmittedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without the query, not decoded. */
  readonly path: string;
  readonly caller: Caller;
  /** From beyond loopback, or passed on by a proxy: never sees a path of this machine. */
  readonly remote: boolean;
  /** 8-4-4-4-12 hexadecimal digits: the X-Correlation-Id that was sent, if it is one; else made for this request. */
  readonly correlationId: string;
  /** The whole body, read and known to be UTF-8; empty when there is none. */
  readonly body: string;
  readonly limits: CallerLimits;
  /** For what throws after its handler is done, while the answer is being sent. */
  readonly onFault: (fault: unknown) => void;
  /** Absent where no telemetry is sent, and of a caller who is not known. */
  readonly trace?: RequestTrace | undefined;
}

/** What a caller may take beyond the one request: further requests inside it, answers that stay open. */
export interface CallerLimits {
  /** Takes further requests of this caller, all or none. A promise only where other replicas have to be asked. */
  readonly takeRequests: (caller: Caller, count: number) => Wait | Promise<Wait>;
  /**
   * Reserves a place for an answer that stays open, and calls `end` when its credential expires or is revoked. False:
   * there is no place left, or the client has gone. `onRights`: as of `watch`.
   */
  readonly openStream: (sender: StreamSender, end: () => void, onRights?: OnRights) => boolean;
  readonly watch: WatchCredential;
  readonly answers: AnswerRoom;
}

/**
 * Room for the bytes of an answer, from before it is made until it was taken or its connection has gone: whoever asks for
 * much and reads nothing holds their own share of the memory, and no more (F10).
 */
export interface AnswerRoom {
  /** False: there is none, and nothing was taken. */
  readonly hold: (sender: AnswerSender, bytes: number) => boolean;
  /** The same, and waits a while until there is room. */
  readonly reserve: (sender: AnswerSender, bytes: number) => Promise<boolean>;
  /** Of an answer that is sent in any case, because what it tells of was done. */
  readonly count: (sender: AnswerSender, bytes: number) => void;
}

export type AnswerSender = Pick<AdmittedRequest, 'response' | 'caller'>;

/**
 * Calls `end`, once, when the credential of this request expires or is revoked; `onRights` when the caller may do
 * something else than before. Returns how to stop watching.
 */
export type WatchCredential = (sender: CredentialSender, end: () => void, onRights?: OnRights) => () => void;

export type OnRights = (caller: Caller) => void;

type CredentialSender = Pick<AdmittedRequest, 'request' | 'caller' | 'remote'>;

type StreamSender = Pick<AdmittedRequest, 'request' | 'response' | 'caller' | 'remote'>;
