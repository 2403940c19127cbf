// Never more than the limit; the oldest go first.
import { describe, expect, test } from 'vitest';
import { createBoundedMap } from './bounded-map.ts';

describe('by count', () => {
  const open = () => {
    const map = createBoundedMap<string, number>({ most: 2 });
    map.set('a', 1);
    map.set('b', 2);
    return map;
  };

  test('the entry that was set longest ago goes, whether or not it was read', () => {
    const map = open();
    map.get('a');
    map.set('c', 3);
    expect(['a', 'b', 'c'].map(map.get)).toEqual([undefined, 2, 3]);
  });

  test('setting an entry again makes it the newest', () => {
    const map = open();
    map.set('a', 10);
    map.set('c', 3);
    expect(['a', 'b', 'c'].map(map.get)).toEqual([10, undefined, 3]);
  });

  test('what is deleted makes room', () => {
    const map = open();
    map.delete('b');
    map.delete('not there');
    map.set('c', 3);
    expect(['a', 'b', 'c'].map(map.has)).toEqual([true, false, true]);
  });

  test('after clear() there is room for all again', () => {
    const map = open();
    map.clear();
    map.set('c', 3);
    map.set('d', 4);
    expect(['a', 'b', 'c', 'd'].map(map.has)).toEqual([false, false, true, true]);
  });
});

describe('by weight', () => {
  const open = () => {
    const map = createBoundedMap<string, string>({ most: 10, weigh: (text) => text.length });
    map.set('a', '12345');
    map.set('b', '123');
    return map;
  };

  test('as many of the oldest go as it takes', () => {
    const map = open();
    map.set('c', '12');
    expect(['a', 'b', 'c'].map(map.has)).toEqual([true, true, true]);
    map.set('d', '1234567');
    expect(['a', 'b', 'c', 'd'].map(map.has)).toEqual([false, false, true, true]);
  });

  test('a new value under the same key counts instead of the old one', () => {
    const map = open();
    map.set('a', '1234567');
    expect(['a', 'b'].map(map.has)).toEqual([true, true]);
  });

  test('a value above the limit is not kept, replaces what it was to replace, and costs no other', () => {
    const map = open();
    map.set('a', '12345678901');
    expect(['a', 'b'].map(map.has)).toEqual([false, true]);
  });

  test('a value that changes after it was set does not spoil the sum', () => {
    const map = createBoundedMap<string, number[]>({ most: 2, weigh: (list) => list.length });
    const list = [1];
    map.set('a', list);
    list.push(2, 3, 4);
    map.delete('a');
    for (const key of ['b', 'c', 'd']) map.set(key, [1]);
    expect(['b', 'c', 'd'].map(map.has)).toEqual([false, true, true]);
  });
});
