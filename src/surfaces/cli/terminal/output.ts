// Where a command writes: standard output or standard error.
import type { Paint } from './colours.ts';

/** What a text is laid out for. */
export interface Layout {
  readonly paint: Paint;
  readonly columns: number;
}

export interface Output extends Layout {
  /** A person is looking: widths and escaping matter. */
  readonly isTerminal: boolean;
  write(data: string | Uint8Array): void;
}
