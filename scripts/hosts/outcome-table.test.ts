// The table of what was run: rows of this run replace theirs in the page, all others stay, and a failure is never green.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isGreen, type Outcome, renderOutcomes, updatePage } from './outcome-table.ts';

const GREEN: Outcome = {
  kind: 'host',
  title: 'Tea Pot',
  version: '1.2.3',
  transports: { stdio: { isGreen: true }, http: { isGreen: true } },
  toolName: 'skill in mcp__repertoire',
  client: 'tea-pot',
};
const HALF: Outcome = {
  ...GREEN,
  title: 'Kettle',
  transports: { stdio: { isGreen: true }, http: { isGreen: false, reason: 'it offered its model none of our tools' } },
};
const LIBRARY: Outcome = { kind: 'library', title: 'cups', version: '2.0.0', transports: { stdio: { isGreen: true } } };

const HEADS = {
  host: '| host that was run | version | stdio | HTTP | reads | says it is | on |',
  library: '| library that was run | version | stdio | HTTP | reads | says it is | on |',
};
const LINE = '|---|---|---|---|---|---|---|';
const PAGE = [
  '# Page',
  '',
  HEADS.host,
  LINE,
  '| Old | 1 | yes | – | – | – | 2026-01-01 |',
  '',
  HEADS.library,
  LINE,
].join('\n');
const ROW = '| Tea Pot | 1.2.3 | yes | yes | `skill` in `mcp__repertoire` | `tea-pot` | 2026-02-02 |';

describe('updatePage()', () => {
  test('adds a row at the end of its table and leaves everything else', () => {
    const page = updatePage(PAGE, [GREEN, LIBRARY], '2026-02-02');
    const row = '| cups | 2.0.0 | yes | – | – | – | 2026-02-02 |';
    expect(page).toBe(`${PAGE.replace('2026-01-01 |', `2026-01-01 |\n${ROW}`)}\n${row}`);
  });

  test('replaces the row of the same host, and only that', () => {
    const once = updatePage(PAGE, [GREEN], '2026-01-31');
    expect(updatePage(once, [GREEN], '2026-02-02')).toBe(updatePage(PAGE, [GREEN], '2026-02-02'));
  });

  test('says no where it failed', () => {
    expect(updatePage(PAGE, [HALF], '2026-02-02')).toContain('| Kettle | 1.2.3 | yes | no |');
  });

  test('refuses a page that has no such table', () => {
    expect(() => updatePage('# Page', [GREEN], '2026-02-02')).toThrow('Cannot write the table');
  });

  test('finds both tables in docs/hosts.md', () => {
    const page = readFileSync(new URL('../../docs/hosts.md', import.meta.url), 'utf8');
    expect(updatePage(page, [GREEN], '2026-02-02')).toContain(ROW);
    expect(updatePage(page, [LIBRARY], '2026-02-02')).toContain('| cups |');
  });
});

describe('renderOutcomes()', () => {
  test('has one line each, the reasons, and how many were green', () => {
    const text = renderOutcomes([GREEN, HALF, LIBRARY]);
    expect(text).toMatch(/Tea Pot 1\.2\.3 +ok +ok +skill in mcp__repertoire/);
    expect(text).toMatch(/Kettle 1\.2\.3 +ok +FAILED/);
    expect(text).toMatch(/cups 2\.0\.0 +ok +–/);
    expect(text).toContain('Kettle, http: it offered its model none of our tools');
    expect(text).toContain('Green: 1 of 2 hosts, 1 of 1 client libraries.');
  });

  test('counts a host with one red transport as red', () => {
    expect([GREEN, HALF, LIBRARY].map(isGreen)).toEqual([true, false, true]);
    expect(isGreen({ ...GREEN, transports: {} })).toBe(false);
  });
});
