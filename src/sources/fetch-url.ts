// One GET of an index or an archive: bounded in size and in quiet time, never redirected to another origin, nothing sent along.
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { monotonicMs } from '../async/monotonic-clock.ts';
import { fail, ok, type Result } from '../values/result.ts';

export interface FetchRules {
  readonly mostBytes: number;
  /** Waiting because the server says that it is asked too often is no progress, either. */
  readonly quietMs: number;
  /** Told of all that comes, also of what is refused then. */
  readonly onBytes?: ((length: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const MOST_REDIRECTS = 3;

/** The failure is half a sentence. */
export async function fetchUrl(url: URL, rules: FetchRules): Promise<Result<Buffer, string>> {
  let at = url;
  let refusedSince: number | undefined;
  for (let step = 0; step <= MOST_REDIRECTS; step += 1) {
    const answer = await getOnce(at, rules);
    if (!answer.ok || Buffer.isBuffer(answer.value)) return answer as Result<Buffer, string>; // true: the other cases are below
    if (typeof answer.value === 'number') {
      const now = monotonicMs();
      refusedSince ??= now;
      if (now - refusedSince + answer.value * 1_000 > rules.quietMs) return fail('it answers with status 429');
      step -= 1;
      await rest(answer.value * 1_000, rules.signal);
      if (rules.signal?.aborted) return fail('it was stopped');
      continue;
    }
    const next = URL.canParse(answer.value, at.href) ? new URL(answer.value, at) : undefined;
    if (next?.origin !== url.origin) return fail('it redirects to another origin');
    at = next;
  }
  return fail('it redirects too often');
}

/** Ends early when it is stopped. */
function rest(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}

/** The bytes, where it redirects to, or how many seconds it wants to be left alone. */
function getOnce(
  url: URL,
  { mostBytes, quietMs, onBytes, signal }: FetchRules,
): Promise<Result<Buffer | string | number, string>> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const sent = request(url, {
      // As it lies there: digests are of those bytes.
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'repertoire' },
      agent: false,
      timeout: quietMs,
      ...(signal && { signal }),
    });
    const end = (result: Result<Buffer | string | number, string>): void => {
      resolve(result);
      sent.destroy();
    };
    sent.once('timeout', () => end(fail(`nothing has happened for ${Math.round(quietMs / 1000)} s`)));
    sent.once('error', (error: NodeJS.ErrnoException) =>
      end(fail(signal?.aborted ? 'it was stopped' : reasonOf(error))),
    );
    sent.once('response', (response) => {
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location) return end(ok(headers.location));
      const wait = Number(headers['retry-after']);
      // Whole seconds, as it should be: a crumb of one would be asked for without end.
      if (statusCode === 429 && wait > 0) return end(ok(Math.ceil(wait)));
      if (statusCode !== 200) return end(fail(`it answers with status ${statusCode}`));
      const pieces: Buffer[] = [];
      let length = 0;
      response.on('data', (piece: Buffer) => {
        length += piece.length;
        onBytes?.(piece.length);
        if (length > mostBytes) end(fail(`it is larger than ${sizeText(mostBytes)}`));
        else pieces.push(piece);
      });
      response.once('aborted', () => end(fail('the connection broke off')));
      response.once('error', (error) => end(fail(reasonOf(error))));
      response.once('end', () => end(ok(Buffer.concat(pieces))));
    });
    sent.end();
  });
}

const sizeText = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MB` : `${Math.floor(bytes / 1024)} KB`;

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'nothing listens there',
    ENOTFOUND: 'there is no such host',
    ECONNRESET: 'the connection broke off',
  };
  return (code && known[code]) ?? `it cannot be reached (${code ?? message})`;
}
