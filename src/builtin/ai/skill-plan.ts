// A plan without a language model, from what there is: the open tasks of the user that are about the goal, the steps of the
// document skills that fit its parts best, and the typed skills that fit (B4). The same goal, skills and tasks always give
// the same plan.

import { counted } from '../../text/counted.ts';
import { areAlike, tellingWords } from '../kit/telling-words.ts';
import type { FoundSkill } from '../ports/find-skills.ts';
import type { Task } from '../ports/task-store.ts';
import { documentSteps } from './document-steps.ts';
import { goalParts } from './goal-parts.ts';
import { cutText, lineOf } from './model-text.ts';
import { type PlacedStep, type PlanStep, planByTemplate, planOf } from './plan.ts';

export interface PlanMaterial {
  readonly goal: string;
  /** The most pressing first. */
  readonly tasks: readonly Task[];
  readonly maxSteps: number;
  /** What the caller may use, best first. */
  readonly find: (request: string) => Promise<readonly FoundSkill[]>;
}

type Step = Omit<PlacedStep, 'after'>;

/** What belongs together, one after the other. */
interface Strand {
  readonly steps: readonly Step[];
  /** Those that have to be done before it begins. */
  readonly after: readonly Strand[];
}

export async function planFromSkills({ goal, tasks, maxSteps, find }: PlanMaterial): Promise<readonly PlanStep[]> {
  const parts = goalParts(goal);
  const used = new Set<string>();
  const byPart: (readonly Strand[])[] = [];
  for (const [index, part] of parts.entries()) {
    const fitting = chooseSkills(await find(part.text)).filter(({ name }) => !used.has(name));
    for (const { name } of fitting) used.add(name);
    const priority = index === 0 ? 4 : 3;
    const lines = fitting.map((skill) => stepsOf(skill, priority, tasks));
    if (lines.length === 0 && parts.length > 1) {
      lines.push([step(part.text, 'No skill fits this part of the goal.', priority)]);
    }
    const after = part.after.flatMap((earlier) => byPart[earlier] ?? []);
    byPart.push(lines.map((steps) => ({ steps, after })));
  }
  const strands = byPart.flat();
  const known = new Set(strands.flatMap(({ steps }) => steps).map(({ title }) => title.toLowerCase()));
  const open = tasksAbout(goal, tasks).filter(({ title }) => !known.has(title.toLowerCase()));
  const all = [...open.map((task) => alone([openStep(task)])), ...strands];
  if (strands.length > 0) return join(all, maxSteps);
  // Nothing that is known fits: what is always good, after what is begun.
  const rest = maxSteps - Math.min(all.length, maxSteps - 1);
  return join([...all.slice(0, maxSteps - rest), alone(planByTemplate(goal, rest))], maxSteps);
}

const alone = (steps: readonly Step[]): Strand => ({ steps, after: [] });

/** How much of the words a skill must cover, of 100. */
const FITS = 25;

/** The best document and the best typed skill. More of them would be a list of skills, not a plan. */
function chooseSkills(found: readonly FoundSkill[]): readonly FoundSkill[] {
  const least = Math.max(FITS, (found[0]?.score ?? 0) / 2);
  const fitting = found.filter((skill) => skill.score >= least && isAbout(skill) && !PLANNERS.has(skill.name));
  const best = (kind: FoundSkill['kind']) => fitting.filter((skill) => skill.kind === kind).slice(0, 1);
  return [...best('document'), ...best('typed')];
}

/** A word that stands somewhere in a long text says little; in the name or the description the author chose it. */
const isAbout = ({ why }: FoundSkill): boolean => !/^(?:heading|body):/.test(why);

/** A plan is no step of itself. */
const PLANNERS: ReadonlySet<string> = new Set([
  'goal_decomposition',
  'suggestion_generation',
  'request_routing',
  'workflow_coordination',
  'task_sequencing',
]);

function stepsOf(skill: FoundSkill, priority: number, tasks: readonly Task[]): readonly Step[] {
  const about = { skill_name: skill.name, skill_kind: skill.kind };
  if (skill.kind === 'typed') return [{ ...step(`Run ${skill.name}`, skill.description, priority), ...about }];
  const steps = documentSteps(skill.text?.() ?? '');
  if (steps.length === 0) return [{ ...step(`Follow the skill ${skill.name}`, skill.description, priority), ...about }];
  return steps.map(({ title, more }, index) => {
    const origin = `Step ${index + 1} of ${steps.length} of the skill ${skill.name}.`;
    const open = findTask(tasks, title);
    const notes = [more, origin, ...(open ? [`It is an open task already, ${open.status}.`] : [])];
    return { ...step(title, notes.filter(Boolean).join(' '), priority), ...about, is_new: open === undefined };
  });
}

/** The same words, letter case aside. */
export const findTask = (tasks: readonly Task[], title: string): Task | undefined =>
  tasks.find((task) => lineOf(task.title).toLowerCase() === title.toLowerCase());

const step = (title: string, description: string, priority: number): Step => ({
  title: cutText(lineOf(title), 200),
  description: cutText(lineOf(description), 2_000) || null,
  priority,
  is_new: true,
  skill_name: null,
  skill_kind: null,
});

const MOST_TASKS = 3;

const tasksAbout = (goal: string, tasks: readonly Task[]): readonly Task[] => {
  const words = tellingWords(goal);
  return tasks.filter(({ title }) => areAlike(words, tellingWords(title))).slice(0, MOST_TASKS);
};

function openStep({ title, status, priority, dueDate }: Task): Step {
  const due = dueDate === null ? '' : `, due on ${dueDate.toISOString().slice(0, 10)}`;
  return { ...step(title, `It is an open task already: ${status}${due}.`, priority), is_new: false };
}

/** The longest is cut first, so that each of them stays in the plan while there is room for one step of it. */
function join(strands: readonly Strand[], maxSteps: number): readonly PlanStep[] {
  const kept = strands.slice(0, maxSteps).map((strand) => ({ strand, length: strand.steps.length }));
  let total = kept.reduce((sum, { length }) => sum + length, 0);
  for (; total > maxSteps; total -= 1) {
    const longest = kept.reduce((one, other) => (other.length >= one.length ? other : one));
    longest.length -= 1;
  }
  const placed: PlacedStep[] = [];
  /** Where each of them ends. */
  const ends = new Map<Strand, number>();
  for (const { strand, length } of kept) {
    const begins = strand.after.flatMap((earlier) => ends.get(earlier) ?? []);
    for (const [index, one] of strand.steps.slice(0, length).entries()) {
      const hidden = index === length - 1 ? strand.steps.length - length : 0;
      placed.push({ ...withRest(one, hidden), after: index === 0 ? begins : [placed.length - 1] });
    }
    ends.set(strand, placed.length - 1);
  }
  return planOf(placed);
}

/** The reader learns that there is more than `max_steps` let in. */
function withRest(one: Step, hidden: number): Step {
  if (hidden === 0) return one;
  const more = `${counted(hidden, 'more step')} not shown.`;
  return { ...one, description: cutText(one.description === null ? more : `${one.description} ${more}`, 2_000) };
}
