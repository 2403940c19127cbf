// The body of a request as JSON.
import { fail, ok, type Result } from '../../../values/result.ts';
import { invalid, type RouteRefusal } from '../reply.ts';

/** `undefined` when there is none. */
export function parseBody(text: string): Result<unknown, RouteRefusal> {
  if (text.trim() === '') return ok(undefined);
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return fail(invalid('the body is not valid JSON'));
    throw error;
  }
}
