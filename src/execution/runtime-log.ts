// How the runtime tells its owner what happened: events through a passed function. Standard output is not ours.

export interface RuntimeEvent {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [detail: string]: unknown;
}

export type RuntimeLog = (event: RuntimeEvent) => void;
