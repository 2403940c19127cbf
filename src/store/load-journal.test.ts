// Loads on their way to the log outlive a killed process, each is taken up once, and nothing stays behind (U7).
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Load } from '../repertoire/load-log.ts';
import { headText, type JournalHead, lineOf, parseJournal } from './journal-text.ts';
import { openLoadJournal } from './load-journal.ts';
import { readProcessOwner } from './process-owner.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const AT = new Date('2026-11-15T12:00:00Z');
const loadOf = (skillName: string, given: Partial<Load> = {}): Load => ({
  ...{ skillName, digest: 'sha256:0', client: 'probe', surface: 'skill', loadedAt: AT },
  ...given,
});

/** `laterMs`: how long after now it is for this journal. */
function openHere(laterMs = 0, dataDirectory = folder) {
  const storePlace = { kind: 'sqlite', dataDirectory } as const;
  const journal = openLoadJournal({ dataDirectory, storePlace, now: () => new Date(Date.now() + laterMs) });
  onTestFinished(async () => void (await journal.close()));
  return journal;
}

const files = () => readdirSync(folder);
const read = (name = files()[0] ?? '') => readFileSync(join(folder, name), 'utf8');
/** What another process would find now. */
const namesIn = () => (files().length === 0 ? [] : parseJournal(read()).loads.map(({ skillName }) => skillName));

describe('a journal', () => {
  test('has each load in a line of its own, bounded and for its owner alone, until the log has it (U7)', async () => {
    const journal = openHere();
    const loads = [loadOf('pdf'), loadOf('odd\n\0', { client: 'x'.repeat(1_000), path: 'a/b.md' })];
    for (const load of loads) journal.add(load);
    await expect.poll(() => files().length && read().split('\n')).toHaveLength(4);
    expect(parseJournal(read()).loads).toEqual([
      loads[0],
      { ...loads[1], skillName: 'odd\n\ufffd', client: 'x'.repeat(256) },
    ]);
    expect(statSync(join(folder, files()[0] ?? '')).mode & 0o777).toBe(0o600);
    journal.settle(loads.slice(0, 1));
    await expect.poll(namesIn).toEqual(['odd\n\ufffd']);
    journal.settle(loads.slice(1));
    await expect.poll(files).toEqual([]);
    const later = loadOf('later');
    journal.add(later);
    await expect.poll(namesIn).toEqual(['later']);
    journal.settle([later]);
    expect(await journal.close()).toBe(0);
    expect(files()).toEqual([]);
  });

  test('has exactly what is open while reads go on and on, however many are settled meanwhile (U7)', async () => {
    const journal = openHere();
    let open: Load[] = [];
    let most = 0;
    // Almost a megabyte in all, and there is always one that is open.
    for (let round = 0; round < 40; round += 1) {
      const loads = Array.from({ length: 20 }, (_, index) => loadOf(`${round}-${index}`, { path: 'y'.repeat(1_000) }));
      for (const load of loads) journal.add(load);
      await expect.poll(() => namesIn().includes(`${round}-19`), { interval: 2 }).toBe(true);
      journal.settle([...open, ...loads.slice(0, -1)]);
      open = loads.slice(-1);
      await expect.poll(namesIn, { interval: 2 }).toEqual([`${round}-19`]);
      most = Math.max(most, read().length);
    }
    expect(most).toBeLessThan(400_000);
    expect(files()).toHaveLength(1);
  });

  test('that something is left in at the end is there for another process, of the same program too (U7)', async () => {
    const journal = openHere();
    const loads = ['written', 'open'].map((name) => loadOf(name));
    for (const load of loads) journal.add(load);
    journal.settle(loads.slice(0, 1));
    expect(await journal.close()).toBe(1);
    const taken: Load[] = [];
    await openHere().takeUp((left) => taken.push(...left) > 0);
    expect(taken).toEqual(loads.slice(1));
  });

  test('keeps its time fresh while something is open, and is made again when it was taken away (U7)', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const journal = openHere();
    journal.add(loadOf('pdf'));
    await expect.poll(namesIn).toEqual(['pdf']);
    const [name = ''] = files();
    utimesSync(join(folder, name), AT, AT);
    vi.advanceTimersByTime(600_000);
    await expect.poll(() => statSync(join(folder, name)).mtimeMs).toBeGreaterThan(AT.getTime());
    rmSync(join(folder, name));
    vi.advanceTimersByTime(600_000);
    await expect.poll(namesIn).toEqual(['pdf']);
  });

  test('is not even made for what is in the log at once (U7)', async () => {
    const journal = openHere();
    const load = loadOf('pdf');
    journal.add(load);
    journal.settle([load]);
    await journal.close();
    expect(files()).toEqual([]);
  });

  test('does not grow beyond a megabyte, and notes the newest again once there is room (F4, U7)', async () => {
    const journal = openHere();
    const loads = Array.from({ length: 1_000 }, () => loadOf('x'.repeat(256), { path: 'y'.repeat(1_000) }));
    for (const load of loads) journal.add(load);
    await expect.poll(() => files().length && read().length).toBeGreaterThan(900_000);
    expect(read().length).toBeLessThan(1_001_000);
    const noted = namesIn().length;
    journal.settle(loads.slice(0, 500));
    await expect.poll(() => namesIn().length).toBe(noted - 500);
    journal.add(loadOf('later'));
    await expect.poll(namesIn).toContain('later');
    expect(read().length).toBeLessThan(1_001_000);
  });

  test('that cannot be written says nothing: the log does (F5, U7)', async () => {
    const place = join(folder, 'file');
    writeFileSync(place, '');
    const journal = openHere(0, place);
    journal.add(loadOf('pdf'));
    // Waits for the write.
    expect(await journal.close()).toBe(0);
    expect(files()).toEqual(['file']);
  });
});

describe('takeUp()', () => {
  /** No system gives this number to a process. */
  const GONE = 2_147_483_000;

  function leave(given: Partial<JournalHead>, text = lineOf(1, loadOf('left')), ending = 'jsonl'): string {
    const head = { ...readProcessOwner(randomUUID()), pid: GONE, store: 'sqlite', ...given };
    const name = `reads.${randomUUID()}.${ending}`;
    writeFileSync(join(folder, name), headText(head) + text);
    return name;
  }

  async function takeUp(journal = openHere()): Promise<readonly string[]> {
    const taken: string[] = [];
    await journal.takeUp((loads) => {
      taken.push(...loads.map(({ skillName }) => skillName));
      return true;
    });
    return taken;
  }

  test('hands over what a process that is gone left, whole lines only, and keeps it until the log has it (U7)', async () => {
    leave(
      {},
      `${lineOf(1, loadOf('one'))}nonsense\n[1,2]\n${lineOf(2, loadOf('two'))}${lineOf(3, loadOf('torn')).slice(0, 20)}`,
    );
    const journal = openHere();
    expect(await takeUp(journal)).toEqual(['one', 'two']);
    expect(files()).toHaveLength(1);
    expect(namesIn()).toEqual(['one', 'two']);
    expect(await takeUp(journal)).toEqual([]);
  });

  test('hands over each load once, however many processes look (U7)', async () => {
    for (let file = 0; file < 20; file += 1) leave({});
    const taken = await Promise.all(Array.from({ length: 4 }, () => takeUp()));
    expect(taken.flat()).toHaveLength(20);
  });

  test('leaves what belongs to a process that lives, or to another database (U7)', async () => {
    const names = [leave({ pid: process.pid }), leave({ store: 'another' })];
    expect(await takeUp()).toEqual([]);
    expect(files().toSorted()).toEqual(names.toSorted());
  });

  test('waits an hour for a process that cannot be seen from here, and a minute for one that took it up (U7)', async () => {
    leave({ machine: 'another container' }, lineOf(1, loadOf('unseen')));
    leave({}, lineOf(1, loadOf('claimed')), 'taken');
    expect(await takeUp(openHere(50_000))).toEqual([]);
    expect(await takeUp(openHere(70_000))).toEqual(['claimed']);
    expect(await takeUp(openHere(3_500_000))).toEqual([]);
    expect(await takeUp(openHere(3_700_000))).toEqual(['unseen']);
  });

  const DAY_MS = 86_400_000;

  test('deletes what another database did not take up for a month, and writes none of it (U7)', async () => {
    for (const ending of ['jsonl', 'taken', 'left']) leave({ store: 'another' }, undefined, ending);
    expect(await takeUp(openHere(29 * DAY_MS))).toEqual([]);
    expect(files()).toHaveLength(3);
    expect(await takeUp(openHere(31 * DAY_MS))).toEqual([]);
    expect(files()).toEqual([]);
  });

  test('takes nothing whose owner cannot be told, and no draft of a journal: both are deleted (U7)', async () => {
    writeFileSync(join(folder, `reads.${randomUUID()}.jsonl`), `{"pid":\n${lineOf(1, loadOf('whose'))}`);
    leave({}, undefined, 'new');
    expect(await takeUp(openHere(3_700_000))).toEqual([]);
    expect(files()).toEqual([]);
  });

  test('leaves the file where its own journal cannot be written, or where they are not taken (U7)', async () => {
    leave({});
    const full = openHere();
    const loads = Array.from({ length: 1_000 }, () => loadOf('x'.repeat(256), { path: 'y'.repeat(1_000) }));
    for (const load of loads) full.add(load);
    expect(await takeUp(full)).toEqual([]);
    full.settle(loads);
    await full.takeUp(() => false);
    await expect.poll(files).toEqual([expect.stringMatching(/\.left$/)]);
    expect(await takeUp(full)).toEqual(['left']);
  });

  test('takes nothing from a journal that is closed meanwhile: the next process does (U7)', async () => {
    leave({});
    const journal = openHere();
    await journal.close();
    expect(await takeUp(journal)).toEqual([]);
    expect(await takeUp()).toEqual(['left']);
  });
});
