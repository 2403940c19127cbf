// What of a model's answer becomes a plan, and the plan that there is without a model (B4).
import { expect, test } from 'vitest';
import { parsePlan, planByTemplate } from './plan.ts';

const STEP = { title: 'Begin', description: null, priority: 3, depends_on: [] as number[] };
const NO_SKILL = { is_new: true, skill_name: null, skill_kind: null };
const parse = (steps: unknown, max = 20) => parsePlan(JSON.stringify({ steps }), max);

test('a plan is taken, surplus cut off its end, dependencies each once and in order (B4)', () => {
  expect(parse([STEP, STEP, { ...STEP, depends_on: [1, 0, 1] }, STEP], 3)).toEqual([
    { ...STEP, ...NO_SKILL, id: 'step-01' },
    { ...STEP, ...NO_SKILL, id: 'step-02' },
    { ...STEP, ...NO_SKILL, id: 'step-03', depends_on: ['step-01', 'step-02'] },
  ]);
});

test.each([
  ['a step that depends on itself', [{ ...STEP, depends_on: [0] }]],
  ['a step that depends on a later one', [{ ...STEP, depends_on: [1] }, STEP]],
  ['a dependency that is no position', [STEP, { ...STEP, depends_on: [-1] }]],
  ['a bad step among good ones', [STEP, { ...STEP, priority: 9 }]],
  ['no step', []],
  ['no list', {}],
])('%s is nonsense, the whole of it (B4)', (_what, steps) => {
  expect(parse(steps)).toBeUndefined();
});

test.each([1, 2, 3, 4, 5, 6, 7, 20])('where nothing is known, %i steps at most (B4)', (max) => {
  const steps = planByTemplate('Move to Graz', max);
  expect(steps).toHaveLength(Math.min(max, 7));
  expect(steps.some(({ title }) => title.includes('Move to Graz'))).toBe(true);
  expect(planByTemplate('Move to Graz', max)).toEqual(steps);
});

test('a long goal with odd characters still makes good titles', () => {
  for (const { title } of planByTemplate(`$& $1\n${'🌱'.repeat(1_900)}`, 7)) {
    expect([...title].length).toBeLessThanOrEqual(200);
    expect(title).not.toContain('\n');
    expect(title).not.toContain('{goal}');
  }
  expect(planByTemplate('a $& b', 1)[0]?.title).toContain('a $& b');
});
