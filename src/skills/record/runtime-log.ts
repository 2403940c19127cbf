// How the runtime tells its owner what happened: events through a passed function. Standard output is not ours.

/**
 * A line of a runtime about itself: what went wrong, what skills said with `context.log`, and what worker skills printed.
 *
 * @example
 * const lineOf = ({ level, message, ...details }: RuntimeEvent) => `${level}: ${message} ${JSON.stringify(details)}`;
 */
export interface RuntimeEvent {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [detail: string]: unknown;
}

/**
 * Hears of what a runtime has to say. Without one it is silent.
 *
 * @example
 * const log: RuntimeLog = ({ level, message }) => console.error(`${level}: ${message}`);
 * const own = createRuntime({ skills: [greet], log });
 */
export type RuntimeLog = (event: RuntimeEvent) => void;
