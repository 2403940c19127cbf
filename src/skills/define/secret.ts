// Marks a zod schema as secret: its values never reach a log, an event, an error or the dashboard.
import type { ZodType } from 'zod';

/**
 * The schema, marked: its values never reach a log, an event or a failure. It may stand anywhere: in lists, unions,
 * records, optional fields; a whole object may be secret. In plain JSON Schema write `"secret": true`,
 * `"writeOnly": true` or `"format": "password"`.
 *
 * @example
 * const input = z.object({ user: z.string(), password: secret(z.string().min(8)) });
 */
export function secret<Schema extends ZodType>(schema: Schema): Schema {
  return schema.meta({ ...schema.meta(), secret: true });
}
