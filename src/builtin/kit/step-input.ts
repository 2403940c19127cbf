// The input of another skill inside of an input: any JSON object. What is secret in a built-in skill is secret here too, or
// the log would show in the outer call what it hides in the step.
import { z } from 'zod';
import { secret } from '../../skills/define/secret.ts';

/** The secret fields of all built-in skills. */
export const SECRET_FIELDS = ['password', 'token'] as const;

const hidden = () => secret(z.unknown()).optional();

export const stepInputField = z.looseObject({ password: hidden(), token: hidden() } satisfies Record<
  (typeof SECRET_FIELDS)[number],
  unknown
>);

/** Of a value that nobody has checked. */
export function fieldOf(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[field];
}
