// Words of a command line into options and operands, and the sentence when they are wrong.
import { describe, expect, test } from 'vitest';
import { FAILURE_CODES } from '../../skills/define/failure.ts';
import { parseArguments } from './parse-arguments.ts';

function parsed(...words: string[]) {
  const result = parseArguments(words);
  if (!result.ok) throw new Error(result.failure);
  const { command, operands, flags, values } = result.value;
  return { command, operands, flags: [...flags], values: Object.fromEntries(values) };
}

function refusal(...words: string[]): string {
  const result = parseArguments(words);
  if (result.ok) throw new Error('was accepted');
  return result.failure;
}

describe('parseArguments', () => {
  test('--failure-code takes every code there is and no other; --by an agent or a category (X8) (C)', () => {
    for (const code of FAILURE_CODES)
      expect(parsed('log', '--failure-code', code).values).toEqual({ 'failure-code': [code] });
    expect(parsed('log', '--failure-code', 'unauthorized').values).toEqual({ 'failure-code': ['UNAUTHORIZED'] });
    expect(parsed('log', '--status=Failed').values).toEqual({ status: ['failed'] });
    expect(refusal('log', '--failure-code', 'OOPS')).toMatch(
      /^Option --failure-code cannot be "OOPS": use "VALIDATION/,
    );
    expect(refusal('stats', '--by', 'skill')).toBe('Option --by cannot be "skill": use "agent" or "category"');
  });

  test('takes the first plain word as the command, wherever the options stand', () => {
    expect(parsed('--root', 'a', 'list', '--json')).toEqual({
      command: 'list',
      operands: [],
      flags: ['json'],
      values: { root: ['a'] },
    });
  });

  test('reads no words at all as no command', () => {
    expect(parsed()).toEqual({ command: undefined, operands: [], flags: [], values: {} });
  });

  test('accepts a value after a space and after an equals sign', () => {
    expect(parsed('--root', 'a', '--root=b=c').values).toEqual({ root: ['a', 'b=c'] });
  });

  test('keeps the last value of an option that is not repeatable', () => {
    expect(parsed('--project', 'a', '--project', 'b').values).toEqual({ project: ['b'] });
  });

  test('ends the options at two hyphens', () => {
    expect(parsed('show', '--', '--json')).toMatchObject({ operands: ['--json'], flags: [] });
  });

  test('reads a single hyphen as a plain word', () => {
    expect(parsed('show', '-').operands).toEqual(['-']);
  });

  test('knows the short forms of help and version', () => {
    expect(parsed('-h', '-v').flags).toEqual(['help', 'version']);
  });

  test.each([
    [['--jsn'], 'Unknown option "--jsn": did you mean "--json"?'],
    [['--roots=a'], 'Unknown option "--roots": did you mean "--root"?'],
    [['--zzzzzz'], 'Unknown option "--zzzzzz": see repertoire --help'],
    [['connect', 'codex', '--zzzzzz'], 'Unknown option "--zzzzzz": see repertoire connect --help'],
    [['rm -rf', '--zzzzzz'], 'Unknown option "--zzzzzz": see repertoire --help'],
    [['-x'], 'Unknown option "-x": see repertoire --help'],
    [['-undefined'], 'Unknown option "-undefined": see repertoire --help'],
    [['--__proto__'], 'Unknown option "--__proto__": see repertoire --help'],
    [['--root'], 'Option --root needs a value: --root DIR'],
    [['--root='], 'Option --root needs a value: --root DIR'],
    [['--root', '--json'], 'Option --root needs a value: --root DIR'],
    [['--json=yes'], 'Option --json takes no value; write it alone'],
    [['--limit', '0'], 'Option --limit cannot be "0": use a whole number from 1 to 50'],
    [['--limit', '51'], 'Option --limit cannot be "51": use a whole number from 1 to 50'],
    [['--limit=1e1'], 'Option --limit cannot be "1e1": use a whole number from 1 to 50'],
    [['--rescan', '1.5'], 'Option --rescan cannot be "1.5": use a whole number from 1 to 86400'],
    [['--format', 'xml'], 'Option --format cannot be "xml": use "text", "json" or "github"'],
  ])('refuses %j with one sentence', (words, sentence) => {
    expect(refusal(...words)).toBe(sentence);
  });

  test('takes a value that looks like an option after an equals sign', () => {
    expect(parsed('--root=--json')).toMatchObject({ flags: [], values: { root: ['--json'] } });
  });
});
