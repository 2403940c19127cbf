// Standard output belongs to the protocol, or to a command's data. What the operator's code prints goes to standard error.

/** From now on `console` and `process.stdout.write` lead to standard error. */
export function divertStandardOutput(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write; // the same signature
}

type Written = (error?: Error | null) => void;

/** Writes to standard output itself, diverted or not: the diversion lies on the stream, this is the method of its class. */
export function writeStandardOutput(data: string | Uint8Array, written?: Written): void {
  Object.getPrototypeOf(process.stdout).write.call(process.stdout, data, written);
}
