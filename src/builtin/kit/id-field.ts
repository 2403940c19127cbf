// An id as the built-in skills take it: any 8-4-4-4-12 hexadecimal digits, compared without letter case.
import { z } from 'zod';

// z.uuid() would refuse versions that it does not know.
export const idField = z
  .guid({ error: ({ code }) => (code === 'invalid_format' ? 'must be 8-4-4-4-12 hexadecimal digits' : undefined) })
  .toLowerCase();
