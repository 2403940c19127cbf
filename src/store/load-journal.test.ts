// Loads on their way to the log outlive a killed process, each is taken up once, and nothing stays behind (U7).
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
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

function openHere() {
  const journal = openLoadJournal({ dataDirectory: folder, storePlace: { kind: 'sqlite', dataDirectory: folder } });
  onTestFinished(() => journal.close());
  return journal;
}

const files = () => readdirSync(folder);
const read = (name = files()[0] ?? '') => readFileSync(join(folder, name), 'utf8');
const namesIn = () => parseJournal(read()).loads.map(({ skillName }) => skillName);

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
    expect(namesIn()).toHaveLength(2);
    journal.settle(loads.slice(1));
    await expect.poll(namesIn).toEqual([]);
    const later = loadOf('later');
    journal.add(later);
    await expect.poll(namesIn).toEqual(['later']);
    await journal.close();
    expect(files()).toEqual([]);
  });

  test('is not even made for what is in the log at once (U7)', async () => {
    const journal = openHere();
    const load = loadOf('pdf');
    journal.add(load);
    journal.settle([load]);
    await journal.close();
    expect(files()).toEqual([]);
  });

  test('does not grow beyond a megabyte, and is used again once it was emptied (F4, U7)', async () => {
    const journal = openHere();
    const many = Array.from({ length: 40 }, () => loadOf('x'.repeat(256), { path: 'y'.repeat(1_000) }));
    const added: Load[] = [];
    for (let round = 0; round < 40; round += 1) {
      const loads = many.map((load) => ({ ...load }));
      added.push(...loads);
      for (const load of loads) journal.add(load);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => files().length && read().length).toBeGreaterThan(500_000);
    journal.settle(added);
    await expect.poll(namesIn).toEqual([]);
    journal.add(loadOf('later'));
    await expect.poll(namesIn).toEqual(['later']);
  });

  test('that cannot be written says nothing: the log does (F5, U7)', async () => {
    const place = join(folder, 'file');
    writeFileSync(place, '');
    const journal = openLoadJournal({ dataDirectory: place, storePlace: { kind: 'sqlite', dataDirectory: place } });
    const load = loadOf('pdf');
    journal.add(load);
    await new Promise((resolve) => setTimeout(resolve, 20));
    journal.settle([load]);
    await journal.close();
    expect(files()).toEqual(['file']);
  });
});

describe('takeUp()', () => {
  /** No system gives this number to a process. */
  const GONE = 2_147_483_000;

  function leave(given: Partial<JournalHead>, text = lineOf(loadOf('left')), ending = 'jsonl'): string {
    const head = { ...readProcessOwner(randomUUID()), pid: GONE, store: 'sqlite', ...given };
    const name = `reads.${randomUUID()}.${ending}`;
    writeFileSync(join(folder, name), headText(head) + text);
    return name;
  }

  async function takeUp(journal = openHere()): Promise<readonly string[]> {
    const taken: string[] = [];
    await journal.takeUp(({ skillName }) => taken.push(skillName) > 0);
    return taken;
  }

  test('hands over what a process that is gone left, whole lines only, and keeps it until the log has it (U7)', async () => {
    leave(
      {},
      `${lineOf(loadOf('one'))}nonsense\n[1,2]\n${lineOf(loadOf('two'))}${lineOf(loadOf('torn')).slice(0, 20)}`,
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
    const name = leave({ machine: 'another container' });
    leave({}, undefined, 'taken');
    expect(await takeUp()).toEqual([]);
    const before = (Date.now() - 3_700_000) / 1_000;
    utimesSync(join(folder, name), before, before);
    expect(await takeUp()).toEqual(['left']);
  });

  test('takes nothing from a journal that is closed meanwhile: the next process does (U7)', async () => {
    leave({});
    const journal = openHere();
    await journal.close();
    expect(await takeUp(journal)).toEqual([]);
    expect(files()).toEqual([expect.stringMatching(/\.taken$/)]);
  });
});
