// Fields that may be left out. `null` means the same as leaving them out (B5).
import type { ZodType } from 'zod';

export const optionalField = <S extends ZodType>(schema: S) =>
  schema.nullish().transform((given) => given ?? undefined);

/** With the value that it has then. */
export const defaultingField = <S extends ZodType, const V>(schema: S, value: V) =>
  schema
    .nullish()
    .meta({ default: value })
    .transform((given) => given ?? value);
