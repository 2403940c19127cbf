// Programs started as a host starts them: what they are, why they fail, and that none stays behind.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { asStrangerAsync } from '../../catalog/fixtures/as-stranger.ts';
import { tryProgram } from './try-program.ts';

const place = {
  folder: tmpdir(),
  variables: { PATH: process.env.PATH, SECRET_OF_MINE: 'x' },
  version: '0',
  limitMs: 30_000,
};
const script = (code: string) => ({ command: process.execPath, args: ['-e', code], variables: { GIVEN: 'yes' } });

/** Answers each request with what `results` has for its method. */
const server = (results: string, before = '') => `${before}
const results = ${results};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
});`;

const GOOD = `{
  initialize: { protocolVersion: '2025-11-25', serverInfo: { name: 'repertoire', version: process.env.GIVEN + (process.env.SECRET_OF_MINE ?? '') } },
  'tools/list': { tools: [{ name: 'skill' }] },
}`;

test('tryProgram() meets a program, with the variables of its entry and no others of ours (U5)', async () => {
  expect(await tryProgram(script(server(GOOD, 'console.log("Hello");')), place)).toEqual({
    ok: true,
    value: { name: 'repertoire', version: 'yes', tools: ['skill'], caller: undefined },
  });
});

test.each([
  [
    'a command that is not there',
    { ...script(''), command: 'no-such-command-here' },
    'command-not-found',
    'no-such-command-here',
  ],
  ['a folder as a command', { ...script(''), command: tmpdir() }, 'program-failed', 'Cannot start'],
  ['an argument that no system takes', { ...script(''), args: ['a\0b'] }, 'program-failed', 'Cannot start'],
  ['a program that fails', script('throw new Error("Cannot load x")'), 'program-failed', 'Cannot load x'],
  ['a program that ends without a word', script('process.exit(3)'), 'program-failed', 'exited with 3'],
  [
    'another MCP server',
    script(server(GOOD.replace('repertoire', 'acme').replace("'skill'", "'weather'"))),
    'not-ours',
    'acme',
  ],
  ['a program that speaks otherwise', script(server('{ initialize: {} }')), 'not-mcp', 'not MCP'],
])('tryProgram() explains %s (U5)', async (_kind, target, cause, text) => {
  expect(await tryProgram(target, place)).toMatchObject({
    ok: false,
    failure: { cause, message: expect.stringContaining(text) },
  });
});

test.skipIf(process.platform === 'win32')(
  'tryProgram() tells a command that is nowhere from one that may not be run, with a closed folder on the PATH (U5)',
  async () => {
    const path = mkdtempSync(join(tmpdir(), 'repertoire-path-'));
    const [closed, open] = [join(path, 'closed'), join(path, 'open')];
    for (const folder of [closed, open]) mkdirSync(folder);
    writeFileSync(join(open, 'not-to-be-run'), '');
    chmodSync(join(open, 'not-to-be-run'), 0o644);
    const here = { ...place, folder: path, variables: { PATH: [closed, open].join(delimiter) } };
    const attempt = (command: string) =>
      asStrangerAsync({ path }, closed, () => tryProgram({ ...script(''), command }, here));
    try {
      expect(await attempt('no-such-command-here')).toMatchObject({ failure: { cause: 'command-not-found' } });
      expect(await attempt('not-to-be-run')).toMatchObject({ failure: { cause: 'program-failed' } });
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  },
);

test('tryProgram() gives up on a program that is silent, and ends it although it ignores its input and signals (U5)', async () => {
  const deaf = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
  const tried = await tryProgram(script(deaf), { ...place, limitMs: 500 });
  expect(tried).toMatchObject({ failure: { cause: 'timed-out' } });
});

test('tryProgram() shows no token that a program complains about', async () => {
  const tried = await tryProgram(
    script(`console.error("Cannot use rpa_${'a1B2'.repeat(11)}"); process.exit(1)`),
    place,
  );
  expect(tried).toMatchObject({ failure: { message: expect.stringContaining('[redacted]') } });
});
