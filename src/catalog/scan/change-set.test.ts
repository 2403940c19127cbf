// What a scan is told about the changes that were seen.
import { describe, expect, test } from 'vitest';
import { folderValue } from '../fixtures/folder-value.ts';
import { ChangeSet, everythingMayHaveChanged } from './change-set.ts';

const isDirty = (changes: ReturnType<ChangeSet['take']>, path: string) => changes.isDirty(folderValue(path));

describe('ChangeSet', () => {
  test('an event in a folder: list it, pass through its parents, take the entry for replaced', () => {
    const set = new ChangeSet();
    set.add('/r/group/a', 'x');
    const changes = set.take();
    expect([isDirty(changes, '/r/group/a'), isDirty(changes, '/r/group')]).toEqual([true, false]);
    expect(['/', '/r', '/r/group', '/r/group/a', '/r/group/a/x'].every((path) => changes.isTouched(path))).toBe(true);
    expect(['/r/group/b', '/r/group/a/y'].some((path) => changes.isTouched(path))).toBe(false);
    expect([changes.isReplaced('/r/group/a/x'), changes.isReplaced('/r/group/a')]).toEqual([true, false]);
    // An event said that something changed: an equal stamp proves nothing.
    expect(changes.trustStamps).toBe(false);
  });

  test('an event without a name may be about anything in the folder or below it', () => {
    const set = new ChangeSet();
    set.add('/r', undefined);
    const changes = set.take();
    expect([isDirty(changes, '/r'), changes.isReplaced('/r')]).toEqual([true, true]);
  });

  test('a folder to look at once more is listed, not taken for replaced', () => {
    const set = new ChangeSet();
    set.addFolder('/r/a');
    const changes = set.take();
    expect([isDirty(changes, '/r/a'), changes.isReplaced('/r/a')]).toEqual([true, false]);
  });

  test('hands over once, and gathers anew', () => {
    const set = new ChangeSet();
    expect(set.isEmpty).toBe(true);
    set.addFolder('/r/a');
    expect(set.isEmpty).toBe(false);
    const first = set.take();
    expect(set.isEmpty).toBe(true);
    set.addFolder('/r/b');
    const second = set.take();
    expect([isDirty(first, '/r/a'), isDirty(first, '/r/b')]).toEqual([true, false]);
    expect([isDirty(second, '/r/a'), isDirty(second, '/r/b')]).toEqual([false, true]);
  });
});

test('when everything may have changed, every folder is listed and the stamps of files are believed', () => {
  const { isTouched, isReplaced, trustStamps } = everythingMayHaveChanged;
  expect([isDirty(everythingMayHaveChanged, '/x'), isTouched('/x'), isReplaced('/x'), trustStamps]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});
