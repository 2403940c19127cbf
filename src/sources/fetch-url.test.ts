import { afterEach, describe, expect, test } from 'vitest';
import { fetchUrl } from './fetch-url.ts';
import { type Answers, startIndexServer } from './fixtures/index-server.ts';

let server: Awaited<ReturnType<typeof startIndexServer>>;
afterEach(() => server.close());

const start = async (answers: Answers) => {
  server = await startIndexServer(() => answers);
  return new URL('/x', server.origin);
};

describe('fetchUrl()', () => {
  test.each(['1', '0.0001'])(
    'waits as a server says (%s s), but all in all no longer than without progress (S5)',
    async (wait) => {
      let asked = 0;
      const url = await start({
        '/x': (response) => {
          asked += 1;
          response.writeHead(429, { 'retry-after': wait }).end();
        },
      });
      const fetched = await fetchUrl(url, { mostBytes: 10, quietMs: 1_500 });
      expect([fetched, asked]).toEqual([{ ok: false, failure: 'it answers with status 429' }, 2]);
    },
  );

  test('that is stopped while it waits ends at once', async () => {
    const stop = new AbortController();
    const url = await start({
      '/x': (response) => {
        response.writeHead(429, { 'retry-after': '50' }).end();
        setTimeout(() => stop.abort(), 100);
      },
    });
    const fetched = await fetchUrl(url, { mostBytes: 10, quietMs: 60_000, signal: stop.signal });
    expect(fetched).toEqual({ ok: false, failure: 'it was stopped' });
  });

  test('tells of what comes, also where it is too much (S5)', async () => {
    const url = await start({ '/x': Buffer.alloc(100_000) });
    let sent = 0;
    const onBytes = (length: number) => {
      sent += length;
    };
    expect(await fetchUrl(url, { mostBytes: 10, quietMs: 1_500, onBytes })).toMatchObject({ ok: false });
    expect(sent).toBeGreaterThan(10);
  });
});
