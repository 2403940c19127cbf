// What the page of a typed skill says about its limits and its runs.
import { expect, test } from 'vitest';
import { durableText, limitsText } from './definition-words.ts';

test('limits are told as far as there are some (X1)', () => {
  expect(limitsText({ per_minute: 7, at_once: 3 })).toBe('7 calls per minute for each caller, 3 at once');
  expect(limitsText({ per_minute: 1 })).toBe('1 call per minute for each caller');
  expect(limitsText({ at_once: 4 })).toBe('4 at once');
});

test('how runs survive is told: attempts, the pause between them, whether one may run twice (J1)', () => {
  const once = { idempotent: false, attempts: 1, backoff_seconds: 5, resumes: false };
  expect(durableText(once)).toBe('runs survive a restart; 1 attempt; not idempotent: never run twice');
  expect(durableText({ ...once, idempotent: true, attempts: 4, backoff_seconds: 10 })).toBe(
    'runs survive a restart; 4 attempts, the second after about 10 seconds; idempotent',
  );
  expect(durableText({ ...once, resumes: true, attempts: 20 })).toContain('after its last completed step');
});
