// Typed skills beside the protocol, in the program itself: what they print and what they leave behind spoils no answer.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { program } from './support/world.ts';

const CONFIG = `
process.stdout.write('written while loading\\n');
setTimeout(() => { throw new Error('left behind'); }, 1);
const any = { type: 'object', properties: {} };
const skill = (name) => ({ name, description: 'Prints.', category: 'execution', input: any, output: any,
  run: () => { process.stdout.write('written while running\\n'); console.log('printed'); return {}; } });
export default { skills: [skill('prints'), skill('hidden'), skill('gone'), { ...skill('bad'), category: 'x' }], without: ['Hidden'] };
`;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-typed-side-'));
  writeFileSync(join(folder, 'c.mjs'), CONFIG);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (id: number, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const REQUESTS =
  line(1, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'probe', version: '1' },
  }) +
  line(2, 'tools/list') +
  line(3, 'tools/call', { name: 'prints', arguments: {} });

function run(words: readonly string[], stdout: 'pipe' | number = 'pipe') {
  return spawnSync(process.execPath, [program, ...words, '--config', 'c.mjs', '--no-log'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder },
    input: REQUESTS,
    stdio: ['pipe', stdout, 'pipe'],
    encoding: 'utf8',
  });
}

describe('what a skill writes to standard output goes to standard error (T9)', () => {
  test.each(['pipe', 'file'])('in mcp, whose standard output is a %s', (kind) => {
    const path = join(folder, 'out');
    const descriptor = kind === 'file' ? openSync(path, 'w') : undefined;
    const { stdout, stderr } = run(['mcp'], descriptor ?? 'pipe');
    if (descriptor !== undefined) closeSync(descriptor);
    const answers = (descriptor === undefined ? stdout : readFileSync(path, 'utf8')).trimEnd().split('\n');
    expect(answers.map((answer) => JSON.parse(answer).id)).toEqual([1, 2, 3]);
    expect(JSON.parse(answers[2] ?? '').result).toMatchObject({ structuredContent: {} });
    for (const said of ['written while loading', 'written while running', 'printed']) expect(stderr).toContain(said);
  });

  test('in invoke', () => {
    const { stdout, stderr, status } = run(['invoke', 'prints', '--input', '{}']);
    expect({ stdout, status }).toEqual({ stdout: '{}\n', status: 0 });
    for (const said of ['written while loading', 'written while running', 'printed']) expect(stderr).toContain(said);
  });
});

test('a skill that the file or --without leaves out is in no listing, and its faults are told (C)', () => {
  const listed = (words: readonly string[]) => {
    const { stdout, stderr } = run(['mcp', ...words]);
    const tools: readonly { readonly name: string }[] = JSON.parse(stdout.split('\n')[1] ?? '').result.tools;
    return { names: tools.map(({ name }) => name).filter((name) => /prints|hidden|gone/.test(name)), stderr };
  };
  expect(listed([]).names).toEqual(['prints', 'gone']);
  // A list on the command line replaces the one in the file.
  expect(listed(['--without', 'gone']).names).toEqual(['prints', 'hidden']);
  expect(listed([]).stderr).toMatch(/warn: Cannot register skill "bad": category is "x"\. Use one of/);
});

test('work that the file left behind and that fails while the server starts is a line, not the end (F14)', () => {
  const { stdout, stderr, status } = run(['mcp']);
  expect(status).toBe(0);
  expect(stdout.trimEnd().split('\n')).toHaveLength(3);
  expect(stderr).toContain('An uncaught error, probably from the background work of a skill');
  expect(stderr).not.toContain('left behind');
});
