// Annotations as GitHub's runner reads them, escaped.
import { expect, test } from 'vitest';
import { toAnnotation } from './github-annotations.ts';

test('toAnnotation() writes a workflow command', () => {
  expect(
    toAnnotation({ level: 'error', file: 'a/SKILL.md', line: 3, title: 'rule', message: 'What, exactly: this' }),
  ).toBe('::error file=a/SKILL.md,line=3,title=rule::What, exactly: this\n');
});

test('toAnnotation() leaves the line out where none is known', () => {
  expect(toAnnotation({ level: 'notice', file: 'a', line: undefined, title: 't', message: 'm' })).toBe(
    '::notice file=a,title=t::m\n',
  );
});

test('toAnnotation() escapes what would end a property or a command', () => {
  const annotation = {
    level: 'warning',
    file: 'a:b,c%\n',
    line: 1,
    title: 'x::y',
    message: '100%\r\n::error::forged',
  } as const;
  expect(toAnnotation(annotation)).toBe(
    '::warning file=a%3Ab%2Cc%25%0A,line=1,title=x%3A%3Ay::100%25%0D%0A::error::forged\n',
  );
});
