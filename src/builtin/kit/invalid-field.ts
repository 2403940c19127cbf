// A fault of the input that only the stored data shows, told in the form of those that the schema shows.
import { failure } from '../../skills/define/failure.ts';

export const invalidField = (path: string, message: string) =>
  failure('VALIDATION_ERROR', { details: `${path}: ${message}`, violations: [{ path, message }] });
