// What a program hands over to an entry of the package: refused with a sentence, or made harmless.
import { type FieldRule, findFieldProblem, isPlainObject, kindOf } from '../settings/config-fields.ts';
import type { RuntimeEvent, RuntimeLog } from '../skills/record/runtime-log.ts';

/** `cannot`: what could not be done. `problem`: what is the case and what to do, as the end of the sentence. */
export function refuse(cannot: string, problem: string | undefined): void {
  if (problem !== undefined) throw new Error(`Cannot ${cannot}: ${problem}`);
}

/** Of the whole object, before any of it is used: programs without types hand over anything. */
export const findOptionProblem = (
  call: string,
  options: unknown,
  fields: Readonly<Record<string, FieldRule>>,
): string | undefined =>
  isPlainObject(options)
    ? findFieldProblem(options, fields)
    : `its options are ${kindOf(options)}, not an object. Write ${call}({ … }).`;

/** A fault of the program's own log, thrown or rejected, must neither stop what runs nor leave a port open. */
export function harmlessLog(log: ((event: RuntimeEvent) => unknown) | undefined): RuntimeLog {
  if (log === undefined) return () => undefined;
  return (event) => {
    new Promise((resolve) => resolve(log(event))).catch(() => undefined);
  };
}
