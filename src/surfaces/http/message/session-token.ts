// The token in the body of `POST /api/session`: the one credential that comes neither in a header nor in a cookie (H5).
import { invalid, type RouteRefusal } from './reply.ts';

export const SESSION_PATH = '/api/session';

/** A token has at most 4 KB, and whoever sends more is not known yet. */
export const MAX_SESSION_BYTES = 8_192;

/** `undefined`: there is none. Whether it is one of ours is not looked at. */
export function sessionTokenIn(body: string): string | undefined {
  const fields = parseObject(body);
  if (fields === undefined) return undefined;
  const { token, ...others } = fields;
  return typeof token === 'string' && token !== '' && Object.keys(others).length === 0 ? token : undefined;
}

export const NO_TOKEN: RouteRefusal = invalid('the body must be { "token": "…" }');

/** Browsers silently drop what is longer, attributes included. */
export const MAX_COOKIE_BYTES = 4_096;

export const TOO_LONG: RouteRefusal = invalid('token: is too long for a cookie; send it as Authorization: Bearer');

function parseObject(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    // An array has no token either.
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
