// The steps of a durable run: those that are done are not run again when it goes on after the death of its process (J6).
import { type Failure, failureOf } from '../define/failure.ts';
import type { SkillAnswer } from '../define/invocation.ts';
import type { Question, Reply } from '../define/question.ts';
import type { RegisteredSkill } from '../define/registered-skill.ts';

type DoneAnswer = Extract<SkillAnswer, { readonly success: true }>;

/** Implemented where runs are kept. */
export interface StepMemory {
  readonly find: (step: string) => Promise<KeptStep | undefined>;
  /** Before it is run. */
  readonly began: (step: string) => Promise<void>;
  readonly done: (step: string, answer: DoneAnswer) => Promise<void>;
  /** Waits for the replies of a person. */
  readonly ask: (
    questions: Readonly<Record<string, Question>>,
    signal: AbortSignal,
  ) => Promise<Readonly<Record<string, Reply>>>;
}

/** `began`: it was running when the process died. */
type KeptStep = { readonly state: 'done'; readonly answer: DoneAnswer } | { readonly state: 'began' };

/** Runs a step that is not done yet, and keeps what it answered. */
export async function runKeptStep(
  memory: StepMemory,
  { step, skill }: { readonly step: string; readonly skill: RegisteredSkill | undefined },
  run: (inner: StepMemory) => Promise<SkillAnswer>,
): Promise<SkillAnswer | Failure> {
  const kept = await memory.find(step);
  if (kept?.state === 'done') return kept.answer;
  if (kept?.state === 'began' && !mayRunAgain(skill)) return failureOf('INTERNAL_ERROR', { interrupted: true });
  if (kept === undefined) await memory.began(step);
  const answer = await run(withPrefix(memory, `${step}/`));
  if (answer.success) await memory.done(step, answer);
  return answer;
}

/** It changes nothing, says that a second run does no harm, or goes on by itself (J5). */
const mayRunAgain = (skill: RegisteredSkill | undefined): boolean =>
  skill?.annotations.readOnly === true || skill?.durable?.idempotent === true || skill?.durable?.resumes === true;

/** For the steps inside of a step. */
const withPrefix = ({ find, began, done, ask }: StepMemory, prefix: string): StepMemory => ({
  find: (step) => find(prefix + step),
  began: (step) => began(prefix + step),
  done: (step, answer) => done(prefix + step, answer),
  ask: async (questions, signal) => {
    const named = Object.entries(questions).map(([name, question]) => [prefix + name, question] as const);
    const replies = await ask(Object.fromEntries(named), signal);
    return Object.fromEntries(Object.entries(replies).map(([name, reply]) => [name.slice(prefix.length), reply]));
  },
});
