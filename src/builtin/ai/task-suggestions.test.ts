// What a user is told to do next without a model: the tasks that press most come first (B3).
import { expect, test } from 'vitest';
import type { Task } from '../ports/task-store.ts';
import { rankTasks } from './pressing-tasks.ts';
import { suggestFromTasks } from './suggestions.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);

const task = (title: string, given: Partial<Task> = {}): Task => ({
  id: `00000000-0000-0000-0000-${title.length.toString().padStart(12, '0')}`,
  userId: 'u',
  title,
  description: null,
  status: 'pending',
  priority: 1,
  dueDate: null,
  createdAt: daysAgo(1),
  updatedAt: daysAgo(1),
  ...given,
});

const suggest = (tasks: readonly Task[], count = tasks.length, context?: string) =>
  suggestFromTasks({ ranked: rankTasks(tasks, NOW), now: NOW, context }, count);
const titles = (tasks: readonly Task[], count?: number) => suggest(tasks, count).map(({ title }) => title);

const MIXED = [
  task('fresh'),
  task('important', { priority: 5, dueDate: daysAgo(-2) }),
  task('old', { updatedAt: daysAgo(8) }),
  task('older', { updatedAt: daysAgo(30), status: 'in_progress' }),
  task('late', { dueDate: daysAgo(1), priority: 5 }),
  task('very late', { dueDate: daysAgo(9), updatedAt: daysAgo(9) }),
];

test('overdue tasks come first, then stale ones, then by priority, each with its reason (B3)', () => {
  expect(suggest(MIXED)).toEqual([
    { title: 'Finish "very late"', description: 'It was due on 2026-11-06, 9 days ago.', priority: 4, confidence: 0.9 },
    { title: 'Finish "late"', description: 'It was due on 2026-11-14, 1 day ago.', priority: 5, confidence: 0.9 },
    {
      title: 'Take up "older" again, or drop it',
      description: 'Nothing about it has changed since 2026-10-16, 30 days ago.',
      priority: 1,
      confidence: 0.7,
    },
    {
      title: 'Take up "old" again, or drop it',
      description: 'Nothing about it has changed since 2026-11-07, 8 days ago.',
      priority: 1,
      confidence: 0.7,
    },
    {
      title: 'Do "important" next',
      description: 'It has priority 5 and is due on 2026-11-17.',
      priority: 5,
      confidence: 0.6,
    },
    { title: 'Begin with "fresh"', description: 'It has priority 1 and no due date.', priority: 1, confidence: 0.4 },
  ]);
});

test('a task is stale after more than seven days, overdue after its moment (B3)', () => {
  expect(titles([task('x', { updatedAt: daysAgo(7) })])).toEqual(['Begin with "x"']);
  expect(titles([task('x', { updatedAt: new Date(daysAgo(7).getTime() - 1) })])).toEqual([
    'Take up "x" again, or drop it',
  ]);
  expect(titles([task('x', { dueDate: NOW })])).toEqual(['Begin with "x"']);
  expect(titles([task('x', { dueDate: new Date(NOW.getTime() - 1) })])).toEqual(['Finish "x"']);
});

test('the order in which the tasks come does not matter (F15)', () => {
  expect(suggest([...MIXED].reverse())).toEqual(suggest(MIXED));
});

test.each([1, 3, 10])('without tasks there are %i suggestions to start with', (count) => {
  const suggestions = suggest([], count);
  expect(suggestions).toHaveLength(count);
  expect(new Set(suggestions.map(({ title }) => title)).size).toBe(count);
  expect(suggestions.every(({ confidence }) => confidence === 0.2)).toBe(true);
});

test('few tasks are filled up, many are cut', () => {
  expect(titles([task('only')], 2)).toEqual(['Begin with "only"', expect.stringMatching(/^Write down/)]);
  expect(titles(MIXED, 2)).toEqual(['Finish "very late"', 'Finish "late"']);
});

test('what the context is about comes first, then what is overdue, then what no task is about yet (B3, M6)', () => {
  const tasks = [
    task('Pay the rent', { dueDate: daysAgo(2) }),
    task('Prepare the slides for the board'),
    task('Water the plants', { priority: 5 }),
  ];
  const suggestions = suggest(tasks, 5, 'The board meets tomorrow: prepare slides. Book a room for lunch.');
  expect(suggestions.map(({ title }) => title)).toEqual([
    'Begin with "Prepare the slides for the board"',
    'Finish "Pay the rent"',
    'Make a task of "Book a room for lunch"',
    'Do "Water the plants" next',
    expect.stringMatching(/^Write down/),
  ]);
  expect(suggestions[0]).toMatchObject({
    confidence: 0.8,
    description: expect.stringMatching(/^The context is about it\. /),
  });
  expect(suggest(tasks, 3, 'the and of')).toEqual(suggest(tasks, 3));
});

test('the longest title still fits into 200 characters, on one line', () => {
  const [title = ''] = titles([task(`${'🌱'.repeat(180)}\n${'y'.repeat(19)}`, { updatedAt: daysAgo(9) })]);
  expect([...title].length).toBeLessThanOrEqual(200);
  expect(title).not.toContain('\n');
  const [first] = suggest([], 1, `${'🌱 grün '.repeat(1_200)}\u001b`);
  expect([...(first?.title ?? '')].length).toBeLessThanOrEqual(200);
});
