// A thrown thing as text for the log.
import { describe, expect, test } from 'vitest';
import { describeError, traceOf } from './describe-error.ts';

const own = `    at run (${import.meta.dirname}/run-skill.ts:1:1)`;
const nodes = '    at process.processTicksAndRejections (node:internal/process/task_queues:82:21)';
const theirs = (line: number) => `    at buy (/srv/skills/shop.ts:${line}:1)`;

function errorWith(...frames: readonly string[]): Error {
  const error = new Error('no milk');
  error.stack = ['Error: no milk', ...frames].join('\n');
  return error;
}

describe('describeError', () => {
  test('keeps the message and the frames of whoever wrote the skill (X4)', () => {
    expect(describeError(errorWith(theirs(1), '    at new Promise (<anonymous>)', own, theirs(2), nodes))).toBe(
      ['Error: no milk', theirs(1), theirs(2)].join('\n'),
    );
  });

  test('keeps five frames', () => {
    const frames = Array.from({ length: 9 }, (_, index) => theirs(index));
    expect(describeError(errorWith(...frames)).split('\n')).toHaveLength(6);
  });

  test('keeps ours where the fault is ours', () => {
    expect(describeError(errorWith(own, nodes))).toContain('run-skill.ts');
    expect(traceOf(errorWith(own))).toBe(own);
  });

  test('describes what is no error', () => {
    expect(describeError(null)).toBe('thrown: null');
  });
});
