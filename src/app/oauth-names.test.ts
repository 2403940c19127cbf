// By which name a server is asked, over a real one: tokens are made only where they will be good (O2, O4).
import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OAuthWorld } from '../../tests/support/oauth-world.ts';

const world = new OAuthWorld();
beforeAll(async () => void (await world.start({ allowHosts: ['skills.example.com'] })));
afterAll(() => world.close());

/** `fetch` writes this header itself. */
const read = (url: string, host: string) =>
  new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
    get(url, { headers: { Host: host } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.once('end', () => resolve({ status: answer.statusCode, text }));
    }).once('error', reject);
  });

test('a name that others can reach needs --public-url: the page says so, where it would lead to tokens that open nothing (O2)', async () => {
  const client = await world.register();
  const { url } = await world.authorize(client, { resource: undefined });
  const refused = await read(url, 'skills.example.com');
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('start it with --public-url https://')]);
  for (const name of ['127.0.0.1', 'localhost:3000', '[::1]'])
    expect((await read(url, name)).text).toContain('name="ticket"');
});
