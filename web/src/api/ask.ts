// One request to the API. What goes wrong is a value, with a sentence and what to do about it.
import type { FailureReason, Me } from '../model/shapes.ts';

export interface Trouble {
  /** 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly action: string;
  /** Where the code alone does not say enough. */
  readonly reason: FailureReason | undefined;
  readonly correlationId: string | undefined;
  /** The whole body, for callers that know more of its fields. */
  readonly body: unknown;
}

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly trouble: Trouble };

export interface Asking {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Asks with this token instead of the session's cookie. */
  readonly token?: string;
  /** `respond-async`: for runs that take long. */
  readonly prefer?: string;
}

type Listener = () => void;

let onSignedOut: Listener = () => undefined;
let onMe: (me: Me) => void = () => undefined;

/** Called when the server says again who we are: what we may do may be something else than before. */
export function whenSeenAgain(listener: (me: Me) => void): void {
  onMe = listener;
}

/** Called when the server no longer knows who we are. */
export function whenSignedOut(listener: Listener): void {
  onSignedOut = listener;
}

/** Asks whether the server still knows who we are: a token may end while a page is open. */
export async function checkSession(): Promise<void> {
  const answer = await ask<Me>(ME_PATH);
  if (answer.ok) onMe(answer.value);
  else if (answer.trouble.status === 401) onSignedOut();
}

/** `T` is what the contract says the route answers; see shapes.ts. */
export async function ask<T>(path: string, asking: Asking = {}): Promise<Answer<T>> {
  try {
    const response = await fetch(path, requestOf(asking));
    const text = await response.text();
    const value = text === '' ? undefined : parseJson(text);
    if (response.ok) return { ok: true, value: value as T };
    if (response.status === 401 && path !== SESSION_PATH && path !== ME_PATH) onSignedOut();
    // The page offers only what is open: what one may do has changed since it was told.
    if (response.status === 403 && path !== SESSION_PATH && path !== ME_PATH) void checkSession();
    return { ok: false, trouble: troubleOf(response, value) };
  } catch {
    // `fetch` gives no reason to tell a page: the network is away, or the request was given up.
    return { ok: false, trouble: UNREACHABLE };
  }
}

function requestOf({ method = 'GET', body, signal, token, prefer }: Asking): RequestInit {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const preference = prefer === undefined ? {} : { Prefer: prefer };
  const credentials = token === undefined ? 'same-origin' : 'omit';
  return { method, credentials, signal: signal ?? null, headers: { ...type, ...bearer, ...preference }, ...content };
}

export const SESSION_PATH = '/api/session';
export const ME_PATH = '/api/me';

const UNREACHABLE: Trouble = {
  status: 0,
  code: 'UNREACHABLE',
  message: 'The server does not answer.',
  action: 'Check that the server is running, then try again.',
  reason: undefined,
  correlationId: undefined,
  body: undefined,
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function troubleOf({ status, headers }: Response, body: unknown): Trouble {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const text = (name: string, fallback: string) => (typeof fields[name] === 'string' ? fields[name] : fallback);
  return {
    status,
    code: text('failure_code', 'INTERNAL_ERROR'),
    message: text('failure_message', `The server answered ${status}.`),
    action: text('suggested_action', 'Try again'),
    // A word of the contract, or one that a newer server has: then it is none that we look for.
    reason: (headers.get('Failure-Reason') ?? undefined) as FailureReason | undefined,
    correlationId: typeof fields.correlation_id === 'string' ? fields.correlation_id : undefined,
    body,
  };
}

/** `/path?name=value` without the parameters that are not given; added to those that the path has. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
}
