// A plan without a model: from the skills that fit and the tasks that are open, another one for every goal (B4).
import { describe, expect, test } from 'vitest';
import type { FoundSkill } from '../ports/find-skills.ts';
import type { Task } from '../ports/task-store.ts';
import { planFromSkills } from './skill-plan.ts';

const document = (name: string, body: string, given: Partial<FoundSkill> = {}): FoundSkill => ({
  name,
  kind: 'document',
  description: `All about ${name}.`,
  uri: `skill://${name}/SKILL.md`,
  score: 60,
  why: 'name: it',
  text: () => body,
  ...given,
});
const typed = (name: string, score = 60, why = 'name: it'): FoundSkill => ({
  name,
  kind: 'typed',
  description: `Does ${name}.`,
  uri: undefined,
  score,
  why,
});
const task = (title: string, given: Partial<Task> = {}): Task => ({
  id: '550e8400-e29b-41d4-a716-446655440000',
  userId: '550e8400-e29b-41d4-a716-446655440001',
  title,
  description: null,
  status: 'pending',
  priority: 5,
  dueDate: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...given,
});

const NOTES = '## Steps\n\n1. Find the range. Look at tags.\n2. Sort every change\n3. Write each entry\n4. Check\n';

const plan = async (
  goal: string,
  found: readonly FoundSkill[] | ((request: string) => readonly FoundSkill[]),
  { maxSteps = 7, tasks = [] as readonly Task[] } = {},
) => {
  const find = async (request: string) => (typeof found === 'function' ? found(request) : found);
  return await planFromSkills({ goal, tasks, maxSteps, find });
};
const titles = async (...given: Parameters<typeof plan>) => (await plan(...given)).map(({ title }) => title);

describe('the skills that fit', () => {
  test('the steps of the best document, one after the other, and the typed skill, by their names (B4, M6)', async () => {
    expect(await plan('Write the notes', [document('release-notes', NOTES), typed('task_creation', 50)])).toMatchObject(
      [
        {
          id: 'step-01',
          title: 'Find the range',
          description: 'Look at tags. Step 1 of 4 of the skill release-notes.',
          depends_on: [],
          skill_name: 'release-notes',
          skill_kind: 'document',
        },
        { title: 'Sort every change', depends_on: ['step-01'] },
        { title: 'Write each entry', depends_on: ['step-02'] },
        { title: 'Check', depends_on: ['step-03'] },
        {
          title: 'Run task_creation',
          description: 'Does task_creation.',
          depends_on: [],
          skill_name: 'task_creation',
          skill_kind: 'typed',
        },
      ],
    );
  });

  test.each([1, 2, 3, 4, 5, 20])('max_steps counts: %i (B4, M6)', async (maxSteps) => {
    const steps = await plan('Write the notes', [document('release-notes', NOTES), typed('task_creation')], {
      maxSteps,
    });
    expect(steps).toHaveLength(Math.min(maxSteps, 5));
    if (maxSteps === 3) {
      expect(steps.map(({ title }) => title)).toEqual(['Find the range', 'Sort every change', 'Run task_creation']);
      expect(steps[1]?.description).toBe('Step 2 of 4 of the skill release-notes. 2 more steps not shown.');
    }
  });

  test('each part of a goal has skills of its own; a part that none fits stays what it is (B4)', async () => {
    const found = (part: string) => (part.includes('notes') ? [document('release-notes', NOTES)] : []);
    expect(await titles('Write the notes, then bake a cake', found)).toEqual([
      'Find the range',
      'Sort every change',
      'Write each entry',
      'Check',
      'bake a cake',
    ]);
  });

  test('what the goal puts in order depends on all of what comes before it (B4)', async () => {
    const found = (part: string) => {
      if (part.includes('notes')) return [document('release-notes', NOTES), typed('task_creation')];
      return part.includes('site') ? [document('site', '1. Build\n2. Publish')] : [];
    };
    const steps = await plan('Write the notes, then bake a cake and update the site', found, { maxSteps: 10 });
    expect(steps.map(({ title, depends_on }) => [title, depends_on])).toEqual([
      ['Find the range', []],
      ['Sort every change', ['step-01']],
      ['Write each entry', ['step-02']],
      ['Check', ['step-03']],
      ['Run task_creation', []],
      ['bake a cake', ['step-04', 'step-05']],
      ['Build', ['step-04', 'step-05']],
      ['Publish', ['step-07']],
    ]);
  });

  test('also where steps are left out, and after the open tasks (B4)', async () => {
    const found = (part: string) => (part.includes('notes') ? [document('release-notes', NOTES)] : []);
    const goal = 'Write the notes, then tell the customers';
    const tasks = [task('Tell all customers')];
    const steps = await plan(goal, found, { maxSteps: 4, tasks });
    expect(steps.map(({ title, depends_on }) => [title, depends_on])).toEqual([
      ['Tell all customers', []],
      ['Find the range', []],
      ['Sort every change', ['step-02']],
      ['tell the customers', ['step-03']],
    ]);
  });

  test('a document without a list is one step', async () => {
    expect(await titles('Write', [document('tone', 'Be kind.')])).toEqual(['Follow the skill tone']);
  });

  test.each([
    ['cover little of the goal', typed('task_creation', 24)],
    ['have the words somewhere in their text alone', document('x', NOTES, { why: 'body: notes' })],
    ['plan themselves', typed('workflow_coordination')],
  ])('skills that %s are left out', async (_what, skill) => {
    expect((await titles('Write the notes', [skill]))[0]).toContain('Write the notes');
  });

  test('another goal has another plan', async () => {
    const found = (goal: string) => [
      goal.includes('flat') ? document('flats', '1. Look\n2. Rent') : document('n', NOTES),
    ];
    expect(await titles('Find a flat', found)).not.toEqual(await titles('Write the notes', found));
  });
});

describe('the open tasks of the user', () => {
  test('those about the goal come first, also where no skill fits (B4, M6)', async () => {
    const tasks = [task('Pay the rent'), task('Pack the books', { dueDate: new Date('2026-12-01T00:00:00Z') })];
    const steps = await plan('Pack for Graz', [], { tasks });
    expect(steps[0]).toMatchObject({
      title: 'Pack the books',
      description: 'It is an open task already: pending, due on 2026-12-01.',
      priority: 5,
    });
    expect(steps.map(({ title }) => title)).not.toContain('Pay the rent');
    expect(steps).toHaveLength(7);
    expect(await plan('Pack for Graz', [], { tasks, maxSteps: 1 })).toHaveLength(1);
  });

  test('one that a skill names, too, is there once', async () => {
    const steps = await plan('Sort every change', [document('release-notes', NOTES)], {
      tasks: [task('sort every change')],
    });
    expect(steps.map(({ title }) => title)).toEqual([
      'Find the range',
      'Sort every change',
      'Write each entry',
      'Check',
    ]);
    expect(steps[1]?.description).toContain('It is an open task already, pending.');
  });
});

test('whatever a document says, titles and descriptions keep their limits and hold no controls', async () => {
  const body = `1. ${'🌱'.repeat(900)}\u001b[31m\u202e\n2. ${'x'.repeat(5_000)}. ${'Y'.repeat(5_000)}\n`;
  for (const { title, description } of await plan('x', [document('odd\u0007', body)])) {
    expect([...title].length).toBeLessThanOrEqual(200);
    expect([...(description ?? '')].length).toBeLessThanOrEqual(2_000);
    expect(title + description).not.toMatch(/[\u0000-\u001f\u202e]/);
  }
});
