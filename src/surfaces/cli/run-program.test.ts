// What any command writes: no credential that it was given, and nothing that steers a terminal.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardOutput, type ProgramWorld, runProgram } from './run-program.ts';
import { createPaint } from './terminal/colours.ts';
import type { Output } from './terminal/output.ts';

// Put together here, so that no scanner takes this file for a leak.
const tail = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'repertoire-program-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

interface Written {
  readonly world: ProgramWorld;
  readonly text: () => string;
}

function createWorld(isTerminal = false): Written {
  let text = '';
  const output: Output = {
    isTerminal,
    columns: 400,
    paint: createPaint(isTerminal),
    write: (data) => {
      text += String(data);
    },
  };
  return {
    world: {
      output,
      errors: output,
      environment: () => ({ home, workingDirectory: home, variables: {} }),
      openFileLimit: () => 64,
      program: () => ['repertoire'],
      ownProgram: () => ['repertoire'],
      webDirectory: join(home, 'web'),
      keepCompiled: () => {},
      stopSignal: () => new AbortController().signal,
    },
    text: () => text,
  };
}

const written = async (words: readonly string[], isTerminal = false): Promise<string> => {
  const { world, text } = createWorld(isTerminal);
  await runProgram(words, world);
  return text();
};

describe('a credential in an argument', () => {
  const token = `ghp_${tail}`;
  test.each([
    ['search', token],
    ['search', token, '--json'],
    ['search', 'pdf', `form with ${token} in it`, '--json'],
    ['search', `ghp%5F${tail}`, '--json'],
    ['search', `"${token}\\`, '--json'],
    ['show', token],
    ['show', token, '--json'],
    ['list', '--root', `./${token}`],
    ['list', '--root', `./${token}`, '--json'],
    ['doctor', '--root', `./${token}`],
    ['doctor', '--root', `./${token}`, '--json'],
    ['check', `./${token}`],
    ['connect', token],
    ['connect', 'cursor', '--print', '--http', `http://h/rpa_${tail}`],
    ['connect', 'cursor', '--print', '--http', `http://h/rpa_${tail}`, '--json'],
    ['connect', 'cursor', '--print', '--http', `http://h/mcp?x=${token}`],
    ['connect', 'cursor', '--print', '--root', `./${token}`, '--json'],
    ['connect', 'cursor', '--print', '--pin', token],
    ['log', token],
    ['log', '--correlation-id', token],
    ['invoke', token, '--input', '{}'],
    ['invoke', 'x', '--config', `./${token}.ts`, '--input', '{}'],
    ['agent', 'revoke', token],
    ['agent', token],
    [token],
    [`--${token}`],
    ['help', token],
  ])('is not in what %s %s %s %s %s %s writes (T9)', async (...words) => {
    for (const isTerminal of [false, true]) {
      const text = await written(words, isTerminal);
      expect(text).not.toBe('');
      expect(text).not.toContain(tail);
    }
  });

  test('a password in an address is not shown by search (T9)', async () => {
    const text = await written(['search', 'postgres://me:hunter2@h/x', '--json']);
    expect(JSON.parse(text).query).toBe('postgres://me:[redacted]@h/x');
  });

  test('a new token is shown, whatever the arguments were (T9)', async () => {
    const text = await written(['agent', 'add', `ghp_${tail}`, '--data', home]);
    expect(text).toMatch(/rpa_[\w-]{20,}/);
    expect(text).not.toContain(tail);
  });
});

describe('what steers a terminal', () => {
  test.each([
    ['search', 'a\u009b2Jb\u202ec\u001b[2Jd'],
    ['show', 'a\u009b2J\u202e'],
    ['invoke', 'a\u009b2J\u202e', '--input', '{}'],
    ['check', './a\u009b2J\u202e'],
    ['list', '--root', './a\u009b2J\u202e'],
    ['agent', 'revoke', 'a\u009b2J\u202e'],
    ['connect', 'cursor', '--print', '--root', './a\u009b2J\u202e'],
  ])('is not in what %s writes (THREATS: terminals)', async (...words) => {
    for (const isTerminal of [false, true]) {
      // Colours are ours.
      const text = (await written(words, isTerminal)).replace(/\u001b\[\d{1,2}m/g, '');
      expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
    }
  });

  test('a command that forgets to neutralise it is caught (THREATS: terminals)', () => {
    const { world, text } = createWorld(true);
    const output = guardOutput(world.output, (shown) => shown);
    output.write(`\r\u001b[K${output.paint.bold('b')}\t\u009b31m\u202e\u001b]0;t\u0007\u001b[2J\n`);
    expect(text()).toBe('\r\u001b[K\u001b[1mb\u001b[22m\t\\x9b31m\\u{202e}\\x1b]0;t\\x07\\x1b[2J\n');
  });
});

test.each([
  [
    'EMFILE',
    64,
    'Cannot run: this process may open only 64 files at a time; raise the limit with "ulimit -n 1024" in the shell',
  ],
  [
    'EMFILE',
    undefined,
    'Cannot run: this process may open no more files; raise the limit with "ulimit -n 1024" in the shell',
  ],
  ['ENFILE', 64, 'Cannot run: the whole system has too many files open; stop programs that hold many'],
  ['EIO', 64, 'Repertoire failed: EIO, open /secret'],
])('a start that fails with %s where %s files may be open is one sentence (F6)', async (code, limit, sentence) => {
  const { world, text } = createWorld();
  const environment = () => {
    throw Object.assign(new Error(`${code}, open /secret`), { code });
  };
  const exitCode = await runProgram(['list'], { ...world, environment, openFileLimit: () => limit });
  expect([exitCode, text().startsWith(sentence), text().split('\n')]).toEqual([1, true, [expect.any(String), '']]);
});
