// How many streams of events one caller may have: the place of others is not theirs (F10).
import { expect, test } from 'vitest';
import { openDashboard, type TestCaller } from '../fixtures/open-dashboard.ts';

test('one caller opens so many streams, then hears when to come again; another still gets one (F10)', async () => {
  const streams = { perCaller: 2, ofOperator: 1, inAll: 9 };
  const { ask } = await openDashboard({ server: { limits: { streams } } });
  const controller = new AbortController();
  const open = (as: TestCaller) => ask('/api/events', { as, signal: controller.signal });
  const answers = [await open('reader'), await open('reader'), await open('reader'), await open('operator')];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
  expect(answers[2]?.headers.get('retry-after')).toBe('30');
  expect(await answers[2]?.json()).toMatchObject({ failure_code: 'RATE_EXCEEDED' });
  controller.abort();
  await expect.poll(async () => (await ask('/api/events', { as: 'reader' })).status).toBe(200);
});
