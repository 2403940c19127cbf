// How the wire tells its owner what happened: events through a passed function. Standard output is the protocol's.

export interface WireEvent {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [detail: string]: unknown;
}

export type WireLog = (event: WireEvent) => void;
