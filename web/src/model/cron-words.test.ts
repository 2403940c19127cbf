// Five cron fields in words, and those that have none (J7).
import { expect, test } from 'vitest';
import { cronWords } from './cron-words.ts';

test.each([
  ['* * * * *', 'every minute'],
  ['*/5 * * * *', 'every 5 minutes'],
  ['0 * * * *', 'every hour'],
  ['15 * * * *', 'every hour at 15 past'],
  ['0 */6 * * *', 'every 6 hours'],
  ['0 3 * * *', 'every day at 03:00'],
  ['30 9,17 * * *', 'every day at 09:30 and 17:30'],
  ['0 6 1 * *', 'on the 1st of every month at 06:00'],
  ['0 6 1,15 * *', 'on the 1st and 15th of every month at 06:00'],
  ['0 6 24 12 *', 'on the 24th of December at 06:00'],
  ['0 8 * * 1-5', 'Monday to Friday at 08:00'],
  ['0 8 * * MON,fri', 'every Monday and Friday at 08:00'],
  ['0 8 * * 7', 'every Sunday at 08:00'],
  ['*/10 * * * 6', 'every 10 minutes, every Saturday'],
  ['0 3 * 6-8 *', 'every day in June to August at 03:00'],
])('%s is "%s" (J7)', (cron, words) => {
  expect(cronWords(cron)).toBe(words);
});

test.each([
  ['both days: either makes one', '0 3 1 * 1'],
  ['a step that does not divide the hour', '*/7 * * * *'],
  ['hours that do not divide the day', '0 */7 * * *'],
  ['the last day', '0 3 L * *'],
  ['the second Monday', '0 3 * * 1#2'],
  ['a range of minutes', '0-5 3 * * *'],
  ['a nickname', '@daily'],
  ['nothing', ''],
  ['markup', '<img src=x> * * * *'],
  ['a month that is none', '0 3 1 13 *'],
])('%s has no plain words (J7)', (_what, cron) => {
  expect(cronWords(cron)).toBeUndefined();
});
