// Which command the parsed words choose, and the sentence when they choose none.
import { describe, expect, test } from 'vitest';
import { chooseCommand } from './choose-command.ts';
import { commands, statusCommand } from './commands.ts';
import { parseArguments } from './parse-arguments.ts';

function choose(...words: string[]) {
  const parsed = parseArguments(words);
  if (!parsed.ok) throw new Error(parsed.failure);
  const choice = chooseCommand(parsed.value, commands);
  return choice.ok ? choice.value : choice.failure;
}

describe('chooseCommand', () => {
  test('shows the status when no command is named (C)', () => {
    expect(choose()).toEqual({ kind: 'run', command: statusCommand });
  });

  test('runs the named command', () => {
    expect(choose('check', 'a-folder')).toEqual({ kind: 'run', command: commands.get('check') });
  });

  test.each([
    [['--help'], undefined],
    [['help'], undefined],
    [['help', 'list'], 'list'],
    [['list', '--help'], 'list'],
    [['show', '-h'], 'show'],
  ])('explains with %j', (words, topic) => {
    expect(choose(...words)).toEqual({ kind: 'help', topic });
  });

  test('prints the version, also when a command is named', () => {
    expect(choose('list', '--version')).toEqual({ kind: 'version' });
  });

  test.each([
    [['lst'], 'Unknown command "lst": did you mean "list"?'],
    [['help', 'docter'], 'Unknown command "docter": did you mean "doctor"?'],
    [['xyzzy'], 'Unknown command "xyzzy": see repertoire --help'],
    [['constructor'], 'Unknown command "constructor": see repertoire --help'],
    [['mcp', '--json'], 'Option --json does not apply to "mcp": see repertoire mcp --help'],
    [['--format', 'github'], 'Unknown option "--format": see repertoire --help'],
    [['show'], 'Command "show" needs a NAME: for example repertoire show pdf-forms'],
    [['agent'], 'Command "agent" needs an action: add, list or revoke'],
    [['list', 'x'], 'Unexpected argument "x": "list" takes none'],
    [
      ['serve', '--agent', 'X'],
      'Option --agent does not apply to "serve": a server knows its callers by their tokens; see repertoire agent --help',
    ],
    [['log', '--agent', 'X'], 'Option --agent does not apply to "log": use --client NAME for what one agent did'],
    [
      ['stats', '--agent', 'X'],
      'Option --agent does not apply to "stats": use --by agent for the figures of each agent',
    ],
    [
      ['agent', 'add', 'x', '--role', 'A', 'B'],
      'Unexpected argument "B": "agent" takes only add|list|revoke [NAME]; to give --role several values, repeat it: --role A --role B',
    ],
    [
      ['list', '--root', 'a', 'b'],
      'Unexpected argument "b": "list" takes none; to give --root several values, repeat it: --root a --root b',
    ],
    [['show', 'my', 'skill'], 'Unexpected argument "skill": "show" takes only NAME; quote what has spaces'],
  ])('refuses %j with one sentence', (words, sentence) => {
    expect(choose(...words)).toBe(sentence);
  });
});
