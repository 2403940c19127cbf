// A text whose length is counted in Unicode code points, as it was given (B5). zod itself counts UTF-16 units.
import { z } from 'zod';

export interface TextLimits {
  readonly min?: number;
  readonly max: number;
}

/** A text that is too long is not looked at any further: what follows may take long for it. */
export const limitedText = ({ min = 0, max }: TextLimits) =>
  z
    .string()
    .refine((text) => text.length <= max || (text.length <= 2 * max && [...text].length <= max), {
      error: `must have at most ${max} characters`,
      abort: true,
    })
    .refine((text) => [...text].length >= min, { error: `must have at least ${min} characters` })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });
