// The bench itself: it measures, says so in numbers, and leaves nothing behind. How large the numbers are is not tested.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeCorpus } from '../bench/corpus.ts';
import { parseOptions } from '../bench/options.ts';
import { judge, type Row } from '../bench/row.ts';
import { renderTable } from '../bench/table.ts';
import { createPaint } from '../src/surfaces/cli/terminal/colours.ts';

const run = promisify(execFile);
const canReadStats = existsSync('/proc/self/stat');

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-bench-test-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As `npm run bench` does it after the build, with its temporary files where the test can see them. */
const bench = (...words: readonly string[]) =>
  run(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...words], {
    env: { ...process.env, TMPDIR: temporary() },
  });

const temporary = (): string => {
  const path = join(folder, 'tmp');
  mkdirSync(path, { recursive: true });
  return path;
};

describe('npm run bench', () => {
  test('measures starts and reads beside their floors, and removes its skills', async () => {
    const json = join(folder, 'rows.json');
    const words = ['--quick', '--only', 'cold,read', '--rounds', '1', '--calls', '40', '--json', json];
    const { stdout, stderr } = await bench(...words);
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /\| 17 skills +\| ≤ 2\.5 × +\| ≤ 1\.5 × +\| \d+(\.\d+)? × \([\d,]+ ms\) +\| [\d,]+ ms +\| [✓○✗]/,
    );
    expect(stdout).toMatch(/\| one at a time, p50 +\| +\| +\| [\d,]+ µs/);
    expect(stdout).toMatch(/\d+ cores .* node v\d+.* load average \d/);
    expect(stdout).toContain('A busy machine makes the ratios worse');
    expect(stdout).not.toMatch(/NaN|undefined|Infinity/);
    const { rows } = JSON.parse(readFileSync(json, 'utf8'));
    const withoutSamples = rows.filter(({ samples }: Row) => samples.length === 0);
    if (canReadStats) expect(withoutSamples).toEqual([]);
    expect(rows.map(({ section }: Row) => section)).toEqual(
      expect.arrayContaining(['start', 'scan', 'memory', 'read']),
    );
    expect(readdirSync(temporary()).filter((name) => name.startsWith('repertoire-bench-'))).toEqual([]);
  });

  test('measures typed skills and their log on both stores', async () => {
    // Where the tests are root's, PostgreSQL runs as nobody and must reach its files.
    chmodSync(folder, 0o755);
    const { stdout, stderr } = await bench('--quick', '--only', 'invoke,store', '--rounds', '1');
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /\| six fields and a list +\| ≤ 2 × +\| +\| \d+(\.\d+)? × \([\d.]+ µs\) +\| [\d.]+ µs +\| [✓✗]/,
    );
    expect(stdout).toMatch(/\| PostgreSQL, 64 in flight, each +\| ≤ 0\.33 × +\| +\| \d+(\.\d+)? × \([\d,.]+ µs\)/);
    expect(stdout).toMatch(/\| SQLite, 10,000 rows: by correlation id, p50 +\| +\| +\| [\d,.]+ µs/);
    expect(stdout).not.toMatch(/NaN|undefined|Infinity/);
    expect(readdirSync(temporary()).filter((name) => name.startsWith('repertoire-'))).toEqual([]);
  });

  test('refuses a measure that it does not have', async () => {
    const expected =
      'Cannot measure "warm": choose from cold, read, fresh, list, big, search, invoke, store, runs, http\n';
    await expect(bench('--only', 'warm')).rejects.toMatchObject({ code: 2, stdout: '', stderr: expected });
  });
});

describe('npm run bench that cannot keep its rows', () => {
  test('still prints the table, says why in a sentence and exits with 1', async () => {
    const words = ['--quick', '--only', 'list', '--json', join(folder, 'missing/rows.json')];
    const stderr = expect.stringMatching(/^Cannot finish the bench: ENOENT[^\n]*\n$/);
    const stdout = expect.stringMatching(/\| 0 skills +\| ≤ 32 KB \| +\| \d+\.\d KB/);
    await expect(bench(...words)).rejects.toMatchObject({ code: 1, stdout, stderr });
  });
});

describe('the verdict', () => {
  const row = (measured: number, floor: number): Row => ({
    section: 'start',
    what: '17 skills',
    unit: 'ms',
    samples: [measured, measured - 1, measured + 1],
    floorSamples: [floor],
  });

  test('compares the ratio of the medians with the bar and the goal', () => {
    const verdicts = [60, 61, 100, 101].map((measured) => judge(row(measured, 40)).verdict);
    expect(verdicts).toEqual(['goal', 'bar', 'bar', 'missed']);
  });

  test('takes the bar for the goal where there is no other', () => {
    const errors = (count: number): Row => ({
      section: 'fresh',
      what: '17 skills: errors on the way',
      unit: 'errors',
      samples: [count],
      floorSamples: [],
    });
    expect([judge(errors(0)).verdict, judge(errors(1)).verdict]).toEqual(['goal', 'missed']);
  });

  test('is left out, and the cell says so, where the system does not tell', () => {
    const memory: Row = { section: 'memory', what: '17 skills', unit: 'MB', samples: [], floorSamples: [] };
    const style = { isTerminal: false, columns: 80, paint: createPaint(false) };
    const table = renderTable([judge(memory)], style);
    expect(table).toMatch(/\| 17 skills \| ≤ 60 MB \| ≤ 50 MB +\| not measured here \| +\| +\|/);
  });
});

describe('the table on a terminal', () => {
  const rows = [judge({ section: 'big', what: 'first call', unit: 'ms', samples: [9.5], floorSamples: [3.5] })];

  test('is coloured and has no Markdown', () => {
    const table = renderTable(rows, { isTerminal: true, columns: 120, paint: createPaint(true) });
    expect(table).toContain('\u001b[32m✓');
    expect(table).not.toContain('|');
  });

  test('has a shorter heading where it is narrow', () => {
    const render = (columns: number) => renderTable(rows, { isTerminal: true, columns, paint: createPaint(false) });
    expect(render(120)).toContain('where we are going');
    expect(render(60)).not.toContain('where we are going');
  });
});

describe('the corpus', () => {
  const filesOf = (root: string) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(root, path)).isFile())
      .sort();

  test('is the same in every run', () => {
    const [first, second] = ['first', 'second'].map((name) => join(folder, name)) as [string, string];
    for (const root of [first, second]) writeCorpus(root, { label: 'some', skills: 40 });
    expect(filesOf(first)).toEqual(filesOf(second));
    const texts = (root: string) => filesOf(root).map((path) => readFileSync(join(root, path), 'utf8'));
    expect(texts(first)).toEqual(texts(second));
  });

  test('has skills of 2 to 12 KB with at most 6 supporting files', () => {
    const names = writeCorpus(folder, { label: 'some', skills: 40 });
    const sizes = names.map((name) => statSync(join(folder, name, 'SKILL.md')).size);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(2 * 1024);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(12 * 1024);
    const counts = names.map((name) => filesOf(join(folder, name)).length - 1);
    expect([Math.min(...counts), Math.max(...counts)]).toEqual([0, 6]);
  });
});

describe('the options', () => {
  test('leave 10,000 skills out when it must be quick', () => {
    const sizes = (...words: readonly string[]) => {
      const options = parseOptions(words);
      return options.ok ? options.value.corpora.map(({ skills }) => skills) : [];
    };
    expect(sizes()).toContain(10_000);
    expect(sizes('--quick')).toEqual([0, 17, 17, 1_000]);
  });

  test('leave 1,000,000 rows out when it must be quick', () => {
    expect(parseOptions([])).toMatchObject({ value: { loggedRows: 1_000_000 } });
    expect(parseOptions(['--quick'])).toMatchObject({ value: { loggedRows: 10_000 } });
  });

  test.each(['--rounds=0', '--calls=many', '--fast'])('refuse %s with a sentence', (word) => {
    expect(parseOptions([word])).toMatchObject({ ok: false, failure: expect.stringMatching(/^Cannot .*: /) });
  });
});
