// What is tried of an entry, and what is not: a file of the project may be anybody's.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startMcpStub } from '../../../tests/support/mcp-stub.ts';
import { toFields } from '../connect/fields.ts';
import { tryEntry } from './try-entry.ts';

const folder = mkdtempSync(join(tmpdir(), 'repertoire-try-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const proof = join(folder, 'started');
const touch = `require('node:fs').writeFileSync(${JSON.stringify(proof)}, '')`;

const place = {
  scope: 'project',
  folder,
  variables: { PATH: process.env.PATH, MY_TOKEN: 'token-of-mine' },
  program: [process.execPath, '-e', touch],
  ownProgram: [process.execPath, '-e', touch],
  version: '0',
  limitMs: 30_000,
} as const;

test.each([
  [{ command: process.execPath, args: ['-e', touch] }],
  [{ command: 'sh', args: ['-c', `touch ${proof}`, 'mcp'] }],
  [{ command: process.execPath, args: ['-e', touch, 'mcp'], env: { NODE_OPTIONS: '--require=./evil.js' } }],
  [{ command: process.execPath, args: ['-e', touch, 'mcp', '--config', 'evil.mjs'] }],
  [{ command: process.execPath, args: ['-e', touch, 'mcp', '--config=evil.mjs'] }],
  [{ command: process.execPath, args: ['-e', touch, 'mcp', '--data', './x'] }],
  [{ command: process.execPath, args: ['-e', touch, 'mcp', '--database-url', 'postgres://other.example/x'] }],
  [{ command: process.execPath, args: ['-e', touch, 'mcp', '--builtin', 'all'] }],
  [{ command: process.execPath, args: ['-e', touch, 'mcp', '--keep', '1m'] }],
  [{ command: process.execPath, args: ['-e', touch, 'mcp', '--root', '--config=evil.mjs'] }],
  [{ command: process.execPath, args: ['-e', touch, 'mcp', '--show-native=x'] }],
  [{ command: process.execPath, args: ['-e', touch, 'mcp', 'operand'] }],
])('tryEntry() starts nothing that a file of the project brings: %j (U5)', async (entry) => {
  expect((await tryEntry(toFields(entry), place)).attempt).toMatchObject({ failure: { cause: 'not-started' } });
  expect(existsSync(proof)).toBe(false);
});

test('tryEntry() starts this program from a file of the project, and what the own file of the user says (U5)', async () => {
  for (const [scope, args] of [
    ['project', ['-e', touch, 'mcp']],
    ['user', ['-e', touch]],
  ] as const) {
    await tryEntry(toFields({ command: process.execPath, args }), { ...place, scope });
    expect(existsSync(proof)).toBe(true);
    rmSync(proof);
  }
});

test('tryEntry() starts this very program for "repertoire" in a file of the project, not what a folder of the project has (U5)', async () => {
  writeFileSync(join(folder, 'repertoire'), '#!/bin/sh\ntouch foreign\n', { mode: 0o755 });
  const options = [
    '--root',
    './a',
    '--agents=all',
    '--show-native',
    '--project',
    '.',
    '--no-remember',
    '--rescan',
    '9',
  ];
  const entry = toFields({ command: 'repertoire', args: ['mcp', ...options] });
  const here = { ...place, variables: { PATH: `.:${folder}` } };
  await tryEntry(entry, { ...here, program: ['repertoire'] });
  expect([existsSync(proof), existsSync(join(folder, 'foreign'))]).toEqual([true, false]);
  rmSync(proof);
  expect((await tryEntry(entry, here)).attempt).toMatchObject({ failure: { cause: 'command-not-found' } });
  expect([existsSync(proof), existsSync(join(folder, 'foreign'))]).toEqual([false, false]);
});

test('tryEntry() says that a variable is withheld from an entry of the project, not that it is not set (U5)', async () => {
  const stub = await startMcpStub({ token: 'token-of-mine' });
  const header = { Authorization: `Bearer \${MY_TOKEN}` };
  const attempt = async (entry: object, scope: 'user' | 'project') =>
    (await tryEntry(toFields(entry), { ...place, scope })).attempt;
  try {
    const withheld = {
      failure: { cause: 'variable-withheld', message: expect.stringMatching(/MY_TOKEN, and an entry/) },
    };
    expect(await attempt({ url: stub.url, headers: header }, 'project')).toMatchObject(withheld);
    expect(await attempt({ url: `${stub.url}\${MY_TOKEN}` }, 'project')).toMatchObject(withheld);
    expect(await attempt({ url: stub.url, headers: header }, 'user')).toMatchObject({ ok: true });
    expect(await attempt({ url: stub.url, headers: { Authorization: '$OTHER' } }, 'project')).toMatchObject({
      failure: { cause: 'token-rejected' },
    });
  } finally {
    stub.close();
  }
});

test.each([
  [{ url: 'http://127.0.0.1:9/mcp', headers: { Authorization: `Bearer \${input:token}` } }, 'input:token'],
  [{ command: 'node', args: [`\${NOT_SET}`] }, 'NOT_SET, which is not set here'],
  [{ url: 'not an address' }, 'neither a command nor an address'],
])('tryEntry() does not try what cannot be filled in: %j (U5)', async (entry, text) => {
  const { attempt } = await tryEntry(toFields(entry), { ...place, scope: 'user' });
  expect(attempt).toMatchObject({ failure: { cause: 'entry-unusable', message: expect.stringContaining(text) } });
});

test('tryEntry() repeats no value that an entry takes from a variable, and shows the entry as it is written (U5)', async () => {
  const entry = toFields({
    command: process.execPath,
    args: ['-e', 'console.error(process.argv[1]); process.exit(1)', `\${MY_TOKEN}`],
  });
  const tried = await tryEntry(entry, { ...place, scope: 'user' });
  expect(tried.attempt).toMatchObject({ failure: { message: expect.stringContaining('[redacted]') } });
  expect(JSON.stringify(tried)).not.toContain('token-of-mine');
});

test('tryEntry() gives none of our variables to an address of the project, and repeats no token (U5)', async () => {
  const stub = await startMcpStub({
    answer: (request, response) =>
      void response.writeHead(403).end(JSON.stringify({ failure_message: `no: ${request.headers.authorization}` })),
  });
  const entry = toFields({ url: stub.url, headers: { Authorization: `Bearer \${MY_TOKEN}` } });
  try {
    await tryEntry(entry, place);
    expect(stub.asked.join()).not.toContain('token-of-mine');
    const { attempt } = await tryEntry(entry, { ...place, scope: 'user' });
    expect(stub.asked.join()).toContain('token-of-mine');
    expect(attempt).toMatchObject({ failure: { cause: 'forbidden', message: expect.stringContaining('[redacted]') } });
    expect(JSON.stringify(attempt)).not.toContain('token-of-mine');
  } finally {
    stub.close();
  }
});
