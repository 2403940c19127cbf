// Where the input of `invoke` comes from, and what is refused before a skill sees it (C).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readInput } from './read-input.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-input-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (given: string | undefined, standardInput: readonly (string | Buffer)[] = []) =>
  readInput(given, {
    environment: { home: folder, workingDirectory: folder },
    standardInput: () => Readable.from(standardInput.map((part) => Buffer.from(part))),
  });

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return `@${name}`;
}

describe('readInput', () => {
  test('without --input there are no fields, and standard input is not touched (C)', async () => {
    expect(await read(undefined, ['{"a":1}'])).toEqual({ ok: true, value: {} });
  });

  test('takes JSON from the command line (C)', async () => {
    expect(await read('{"a":[1]}')).toEqual({ ok: true, value: { a: [1] } });
  });

  test('takes a file in the working directory, also one that begins with a byte order mark (C)', async () => {
    expect(await read(file('in.json', '\ufeff{"a":"ü"}'))).toEqual({ ok: true, value: { a: 'ü' } });
  });

  test('expands ~/, because no shell does after @ (C)', async () => {
    file('home.json', '{"a":1}');
    expect(await read('@~/home.json')).toEqual({ ok: true, value: { a: 1 } });
  });

  test('takes standard input to its end, characters cut between two parts included (C)', async () => {
    const bytes = Buffer.from('{"a":"ü"}');
    expect(await read('-', [bytes.subarray(0, 7), bytes.subarray(7)])).toEqual({ ok: true, value: { a: 'ü' } });
  });

  test.each([
    ['@missing.json', 'Cannot read the input: "missing.json" does not exist; name a file with JSON'],
    ['@.', 'Cannot read the input: "." is a folder; name a file with JSON'],
    ['@', 'Cannot read the input: --input @ names no file; write --input @FILE'],
    [' ', `Cannot read the input: --input is empty; send JSON, for example '{"name": "Ada"}'`],
  ])('refuses %j with one sentence (C)', async (given, sentence) => {
    expect(await read(given)).toEqual({ ok: false, failure: sentence });
  });

  test('a file that is named without the sign before it is told from wrong JSON (C)', async () => {
    file('goal.json', '{"a":1}');
    expect(await read('goal.json')).toEqual({
      ok: false,
      failure:
        'Cannot read the input: --input is not JSON, but there is a file "goal.json"; write --input @goal.json to send its contents',
    });
    expect(await read('other.json')).toMatchObject({ failure: expect.stringContaining('--input is not JSON') });
    expect(await read('other.json')).toMatchObject({ failure: expect.not.stringContaining('@') });
  });

  test('refuses what is not JSON, and says where it goes wrong if the engine knows (C)', async () => {
    const shape = /^Cannot read the input: --input is not JSON( \(at character 2\))?; send JSON, for example .*$/;
    expect(await read('{bad')).toEqual({ ok: false, failure: expect.stringMatching(shape) });
  });

  test('does not repeat a text that is not JSON: it may hold a secret (T9)', async () => {
    expect(JSON.stringify(await read('hunter2-secret'))).not.toContain('hunter2');
  });

  test('refuses bytes that are no UTF-8', async () => {
    const refusal = { ok: false, failure: expect.stringContaining('"latin.json" is not UTF-8') };
    expect(await read(file('latin.json', Buffer.from([0x22, 0xe9, 0x22])))).toEqual(refusal);
  });

  test('takes exactly 1 MB and refuses one byte more (C)', async () => {
    const text = `"${'a'.repeat(1_048_574)}"`;
    expect(await read(file('large.json', text))).toMatchObject({ ok: true });
    const refusal = {
      ok: false,
      failure: 'Cannot read the input: "large.json" has more than 1 MiB (1,048,576 bytes); send less',
    };
    expect(await read(file('large.json', `${text} `))).toEqual(refusal);
  });

  test('stops reading a source without an end', async () => {
    const refusal = {
      ok: false,
      failure: 'Cannot read the input: "/dev/zero" has more than 1 MiB (1,048,576 bytes); send less',
    };
    expect(await read('@/dev/zero')).toEqual(refusal);
  });
});
