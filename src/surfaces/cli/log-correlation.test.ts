// Which correlation id a beginning stands for (C, X2).
import { expect, test } from 'vitest';
import { createMemoryInvocationLog } from '../../store/fixtures/memory.ts';
import { exampleInvocation, idOf } from './fixtures/example-log.ts';
import { findCorrelationId, isCorrelationId } from './log-correlation.ts';

const WHOLE = 'c0ffee00-1111-4111-8111-111111111111';

test.each([
  [WHOLE, true],
  [WHOLE.toUpperCase(), true],
  ['c0ffee00', true],
  ['c0ffee00-11', true],
  ['c0ffee0', false],
  ['c0ffeexx', false],
  [`${WHOLE}1`, false],
  ['', false],
])('isCorrelationId(%j) is %s', (text, is) => {
  expect(isCorrelationId(text)).toBe(is);
});

test('the newest id that begins so is meant, also behind the first page; another is left as it is (C)', async () => {
  const log = createMemoryInvocationLog();
  const record = async (number: number, correlationId: string) => {
    const { invocation, result } = exampleInvocation({ number, timestamp: new Date(number) });
    if (result) await log.end({ ...invocation, correlationId }, result);
  };
  await record(1, 'c0ffee00-0000-4000-8000-000000000000');
  await record(2, WHOLE);
  for (let number = 3; number <= 1_100; number++) await record(number, idOf(number));
  expect(await findCorrelationId(log, 'C0FFEE00')).toBe(WHOLE);
  expect(await findCorrelationId(log, 'c0ffee00-0')).toBe('c0ffee00-0000-4000-8000-000000000000');
  expect(await findCorrelationId(log, 'deadbeef')).toBe('deadbeef');
});
