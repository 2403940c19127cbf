// How statistics look to people and to programs (C, X8).
import { describe, expect, test } from 'vitest';
import { renderStats, statsLines, type UsedSkill } from './render-stats.ts';
import { createPaint } from './terminal/colours.ts';

const used = (changes: Partial<UsedSkill> = {}): UsedSkill => ({
  skillName: 'greet',
  count: 1_204,
  successCount: 1_203,
  failureCount: 1,
  failures: { TIMEOUT: 1 },
  durationMs: { p50: 2, p95: 40, p99: 1_500 },
  series: [
    { count: 4, failureCount: 0 },
    { count: 8, failureCount: 1 },
  ],
  ...changes,
});
const layout = { paint: createPaint(false), columns: 80 };

describe('renderStats', () => {
  test('shows a row per skill with rate, percentiles, bars and failures, then the documents (X8, C)', () => {
    const skills = [used(), used({ skillName: 'sum', count: 1, successCount: 1, failureCount: 0, failures: {} })];
    const documents = [{ skillName: 'pdf-forms', loadCount: 12 }];
    expect(renderStats({ window: '1h', skills, documents }, layout)).toBe(
      [
        'last 1h       runs       ok      p50      p95      p99',
        'greet        1,204    99.9%     2 ms    40 ms    1.5 s  ▄█',
        '  TIMEOUT 1',
        'sum              1     100%     2 ms    40 ms    1.5 s  ▄█',
        '',
        'documents    reads',
        'pdf-forms       12',
        '',
      ].join('\n'),
    );
  });

  test.each([
    [999_999, 1_000_000, '99.9%'],
    [57, 100, '57.0%'],
    [2, 3, '66.7%'],
    [1, 1_000_000, '0.1%'],
    [0, 4, '0%'],
    [4, 4, '100%'],
  ])('rounds %i of %i to %s: 100%% only when nothing failed (X8)', (successCount, count, rate) => {
    const text = renderStats({ window: '1h', skills: [used({ count, successCount })], documents: [] }, layout);
    expect(text.split('\n')[1]?.split(/ {2,}/)[2]).toBe(rate);
  });

  test.each([60, 70, 80, 120])(
    'fits %i columns with a long name and a long series, and lets nothing through that steers',
    (columns) => {
      const series = Array.from({ length: 180 }, () => ({ count: 1, failureCount: 0 }));
      const skills = [used({ skillName: 'x'.repeat(64), series }), used({ skillName: 'a\u001b[31m\nb' })];
      const text = renderStats({ window: '3h', skills, documents: [] }, { ...layout, columns });
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
      expect(text).not.toContain('\u001b');
      expect(text.trimEnd().split('\n')).toHaveLength(5);
    },
  );
});

test('failures of many codes go on below (C)', () => {
  const failures = { EXTERNAL_SERVICE_ERROR: 1, VALIDATION_ERROR: 1, PERSISTENCE_ERROR: 1 };
  const text = renderStats({ window: '1h', skills: [used({ failures })], documents: [] }, { ...layout, columns: 60 });
  expect(text.split('\n').slice(2)).toEqual([
    '  EXTERNAL_SERVICE_ERROR 1, VALIDATION_ERROR 1,',
    '  PERSISTENCE_ERROR 1',
    '',
  ]);
});

test('statsLines() separates by tabs and says which kind each line is (C)', () => {
  const skill = used({ failures: { TIMEOUT: 1, NOT_FOUND: 3 }, count: 8, successCount: 4 });
  expect(statsLines([skill], [{ skillName: 'a\tb', loadCount: 2 }])).toBe(
    'typed\tgreet\t8\t0.5\t2\t40\t1500\tNOT_FOUND=3,TIMEOUT=1\ndocument\ta b\t2\n',
  );
});
