// Tasks come after all that they depend on, or what stands in the way is named (B4).
import { describe, expect, test } from 'vitest';
import fc from '../../../tests/support/property.ts';
import { type OrderableTask, orderTasks } from './task-order.ts';

const task = (id: string, depends_on: readonly string[] = [], given: Partial<OrderableTask> = {}): OrderableTask => ({
  id,
  depends_on,
  priority: undefined,
  due_date: undefined,
  ...given,
});

const order = (...tasks: readonly OrderableTask[]) => {
  const ordered = orderTasks(tasks);
  if (!ordered.ok) throw new Error(JSON.stringify(ordered.failure));
  return ordered.value;
};
const faults = (...tasks: readonly OrderableTask[]) => {
  const ordered = orderTasks(tasks);
  if (ordered.ok) throw new Error(JSON.stringify(ordered.value));
  return ordered.failure.map(({ path, message }) => `${path}: ${message}`);
};

describe('the order', () => {
  test('respects dependencies, batches what can be done side by side (B4)', () => {
    expect(order(task('c', ['a', 'b']), task('b', ['a']), task('a'), task('d', ['a']))).toEqual({
      order: ['a', 'b', 'c', 'd'],
      batches: [['a'], ['b', 'd'], ['c']],
    });
  });

  test('where there is a choice: due date, then priority, then id (B4)', () => {
    const { order: ids, batches } = order(
      task('z'),
      task('y'),
      task('x', [], { priority: 2 }),
      task('later', [], { due_date: '2026-12-01T00:30:00+01:00' }),
      task('soon', [], { due_date: '2026-11-30T23:00:00Z', priority: 1 }),
      task('soon too', [], { due_date: '2026-11-30T23:00:00Z', priority: 5 }),
    );
    expect(ids).toEqual(['soon too', 'soon', 'later', 'x', 'y', 'z']);
    expect(batches).toEqual([ids]);
  });

  test('what becomes possible and presses comes before what could wait', () => {
    const urgent = { due_date: '2026-01-01T00:00:00Z' };
    expect(order(task('a', [], urgent), task('b'), task('c', ['a'], urgent)).order).toEqual(['a', 'c', 'b']);
  });

  test('a dependency named twice counts once', () => {
    expect(order(task('b', ['a', 'a']), task('a')).order).toEqual(['a', 'b']);
  });
});

describe('the faults', () => {
  test.each([
    ['itself', [task('a', ['a'])], ['tasks: these depend on each other: "a" → "a"']],
    ['each other', [task('a', ['b']), task('b', ['a'])], ['tasks: these depend on each other: "a" → "b" → "a"']],
    [
      'in two knots, one behind the other',
      [task('a', ['b']), task('b', ['a']), task('c', ['a', 'd']), task('d', ['c']), task('e', ['d']), task('f')],
      ['tasks: these depend on each other: "a" → "b" → "a"', 'tasks: these depend on each other: "c" → "d" → "c"'],
    ],
  ])('a cycle is named: %s (B4)', (_what, tasks, expected) => {
    expect(faults(...tasks)).toEqual(expected);
  });

  test('unknown dependencies and repeated ids are named, all of them (B4, X5)', () => {
    expect(faults(task('a', ['x', 'b', 'y']), task('b'), task('a'))).toEqual([
      'tasks[2].id: "a" is there twice',
      'tasks[0].depends_on[0]: there is no task "x"',
      'tasks[0].depends_on[2]: there is no task "y"',
    ]);
  });

  test('a long cycle is cut', () => {
    const ring = Array.from({ length: 1_000 }, (_, n) => task(`t${n}`, [`t${(n + 1) % 1_000}`]));
    expect(faults(...ring)[0]).toMatch(/→ 980 more → "t0"$/);
  });
});

test('names that every object has are names like others', () => {
  const { order: ids } = order(task('constructor', ['__proto__']), task('__proto__', ['toString']), task('toString'));
  expect(ids).toEqual(['toString', '__proto__', 'constructor']);
});

// There are 2^998 ways from the last to the first: an order that follows each of them never ends.
test('a thousand tasks, each depending on all before it, are put in order (B4)', () => {
  const ids = Array.from({ length: 1_000 }, (_, n) => `t${n}`);
  const { order: sorted } = order(...ids.map((id, n) => task(id, ids.slice(0, n))).reverse());
  expect(sorted).toEqual(ids);
});

const graph = fc
  .array(fc.record({ edges: fc.array(fc.nat(40), { maxLength: 6 }), priority: fc.integer({ min: 1, max: 5 }) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((nodes) =>
    nodes.map(({ edges, priority }, n) =>
      task(
        `t${n}`,
        [...new Set(edges.filter((to) => to < nodes.length))].map((to) => `t${to}`),
        { priority },
      ),
    ),
  );

test('either every task once, after all that it depends on, or a cycle that is one (property)', () => {
  fc.assert(
    fc.property(graph, (tasks) => {
      const ordered = orderTasks(tasks);
      if (!ordered.ok) return expectCycle(tasks, ordered.failure[0]?.message ?? '');
      const { order: ids, batches } = ordered.value;
      expect([...ids].sort()).toEqual(tasks.map(({ id }) => id).sort());
      expect(batches.flat().sort()).toEqual([...ids].sort());
      const batchOf = new Map(batches.flatMap((batch, index) => batch.map((id) => [id, index] as const)));
      for (const { id, depends_on } of tasks) {
        for (const before of depends_on) {
          expect(ids.indexOf(before)).toBeLessThan(ids.indexOf(id));
          expect(batchOf.get(before)).toBeLessThan(batchOf.get(id) ?? 0);
        }
      }
      expect(orderTasks([...tasks].reverse())).toEqual(ordered);
    }),
  );
});

function expectCycle(tasks: readonly OrderableTask[], message: string): void {
  const named = (message.match(/"[^"]+"/g) ?? []).map((id) => JSON.parse(id) as string);
  expect(named.length).toBeGreaterThan(1);
  if (message.includes(' more')) return;
  for (const [index, id] of named.slice(0, -1).entries()) {
    expect(tasks.find((each) => each.id === id)?.depends_on).toContain(named[index + 1]);
  }
}
