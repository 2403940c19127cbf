// Commands that are copied: a shell reads them back as they were meant, and no token and no secret is in them.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandText, curlText, withoutSecrets } from './invoke-commands.ts';

const HERE = { origin: 'http://127.0.0.1:7337', authentication: 'on' } as const;

const INPUTS = [
  { title: 'Paper' },
  { title: 'it\'s $(touch ran) `touch ran` $HOME \\ ! "quoted"' },
  { '@file': 'two\nlines', 'é中😀': [null, true, 1.5] },
  {},
];

/** What a shell makes of the command: its words, with a token in the environment. */
const wordsOf = (command: string): readonly string[] =>
  execFileSync('sh', ['-c', `set -- ${command}; for word do printf '%s\\0' "$word"; done`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, REPERTOIRE_TOKEN: 'from the shell' },
  })
    .split('\0')
    .slice(0, -1);

test.skipIf(process.platform === 'win32').each(INPUTS)('curlText() of %j is read back by a shell (U8)', (input) => {
  const text = curlText({ name: 'place_order', input }, HERE);
  expect(text).toContain('"Authorization: Bearer $REPERTOIRE_TOKEN"');
  expect(wordsOf(text)).toEqual([
    ...['curl', 'http://127.0.0.1:7337/api/typed-skills/place_order/invoke'],
    ...['-H', 'Authorization: Bearer from the shell', '-H', 'Content-Type: application/json'],
    ...['--data-raw', JSON.stringify(input)],
  ]);
});

test('curlText() needs no token where the server asks for none (U8)', () => {
  const text = curlText({ name: 'x', input: {} }, { ...HERE, authentication: 'off' });
  expect(text).not.toMatch(/Authorization|TOKEN/);
});

test.skipIf(process.platform === 'win32').each(INPUTS)('commandText() of %j is read back by a shell (U8)', (input) => {
  const commands = {
    program: "node '/a folder/dist/cli.js'",
    store: '--data y',
    catalog: '',
    typed: '--config x.mjs',
    sources: '',
  };
  expect(wordsOf(commandText({ name: 'place_order', input }, commands))).toEqual([
    ...['node', '/a folder/dist/cli.js', 'invoke', 'place_order', '--input', JSON.stringify(input)],
    ...['--config', 'x.mjs'],
  ]);
});

test('commandText() is plain where nothing needs a quotation mark (U8)', () => {
  const commands = { program: 'repertoire', store: '', catalog: '', typed: '', sources: '' };
  expect(commandText({ name: 'nap', input: { ms: 1 } }, commands)).toBe(`repertoire invoke nap --input '{"ms":1}'`);
});

test('withoutSecrets() puts the name of a secret field in its place, however deep (U8)', () => {
  const key = { type: 'string', secret: true };
  const account = { type: 'object', properties: { password: { type: 'string', format: 'password' } } };
  const schema = {
    type: 'object',
    properties: { key, title: { type: 'string' }, accounts: { type: 'array', items: { $ref: '#/$defs/account' } } },
    $defs: { account },
  };
  const given = { key: 'sesame', title: 'x', accounts: [{ password: 'swordfish' }, { password: null }] };
  expect(withoutSecrets(schema, given)).toEqual({
    ...{ key: '<key>', title: 'x' },
    accounts: [{ password: '<password>' }, { password: null }],
  });
});
