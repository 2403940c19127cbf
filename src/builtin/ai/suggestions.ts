// Suggestions: what is published, what of a model's answer may become one, and what we suggest without a model: the tasks that
// press most, each with the reason, then advice that is always good (B3).

import { z } from 'zod';
import { counted } from '../../text/counted.ts';
import { areAlike, tellingWords } from '../kit/telling-words.ts';
import type { Task } from '../ports/task-store.ts';
import { goalParts } from './goal-parts.ts';
import { cutText, findJsonObject, lineOf, paragraphsOf } from './model-text.ts';
import { daysBetween, type PressingTask, type Pressure } from './pressing-tasks.ts';

export const suggestionItem = z.object({
  title: z.string(),
  description: z.string().nullable(),
  priority: z.int().min(1).max(5),
  confidence: z.number().min(0).max(1),
});

export type Suggestion = z.infer<typeof suggestionItem>;

const answered = z.object({ suggestions: z.array(z.unknown()) });

/** What a model may fill in; the lengths count after the cleaning, because that is what people get. */
export const modelTitle = z
  .string()
  .transform(lineOf)
  .refine((title) => title !== '' && [...title].length <= 200);

export const modelDescription = z
  .string()
  .transform(paragraphsOf)
  .refine((text) => [...text].length <= 2_000)
  .nullish()
  .transform((text) => text || null);

const modelSuggestion = suggestionItem.extend({ title: modelTitle, description: modelDescription });

/** The good ones, at most `count`; `undefined` when there is none. */
export function parseSuggestions(text: string, count: number): readonly Suggestion[] | undefined {
  const listed = answered.safeParse(findJsonObject(text)).data?.suggestions ?? [];
  const good = listed.flatMap((each) => modelSuggestion.safeParse(each).data ?? []).slice(0, count);
  return good.length === 0 ? undefined : good;
}

export interface Situation {
  /** The most pressing first. */
  readonly ranked: readonly PressingTask[];
  readonly now: Date;
  /** What it is about now. */
  readonly context?: string | undefined;
}

/** Exactly `count`: tasks that the context is about, those that are overdue, what no task is about yet, then the others. */
export function suggestFromTasks({ ranked, now, context = '' }: Situation, count: number): readonly Suggestion[] {
  const words = tellingWords(context);
  const isAbout = ({ task }: PressingTask) => words.size > 0 && areAlike(words, tellingWords(task.title));
  const fitting = ranked.filter(isAbout);
  const others = ranked.filter((one) => !fitting.includes(one));
  const overdue = others.filter(({ pressure }) => pressure === 'overdue');
  const rest = others.filter(({ pressure }) => pressure !== 'overdue');
  const suggest = ({ task, pressure }: PressingTask) => SENTENCES[pressure](task, now);
  return [
    ...fitting.slice(0, count).map((one) => inContext(suggest(one))),
    ...overdue.slice(0, count).map(suggest),
    ...newThings(context, ranked),
    ...rest.slice(0, count).map(suggest),
    ...STARTERS,
  ].slice(0, count);
}

const inContext = (suggestion: Suggestion): Suggestion => ({
  ...suggestion,
  description: `The context is about it. ${suggestion.description}`,
  confidence: Math.max(suggestion.confidence, 0.8),
});

const MOST_NEW = 2;

/** What the context speaks of and no open task does. */
function newThings(context: string, ranked: readonly PressingTask[]): readonly Suggestion[] {
  const known = ranked.map(({ task }) => tellingWords(task.title));
  const parts = goalParts(context).filter(({ text }) => {
    const words = tellingWords(text);
    return words.size > 0 && !known.some((title) => areAlike(words, title));
  });
  return parts.slice(0, MOST_NEW).map(({ text }) => ({
    title: `Make a task of "${cutText(text, 150)}"`,
    description: 'The context speaks of it, and no open task does.',
    priority: 3,
    confidence: 0.5,
  }));
}

type Sentence = (task: Task, now: Date) => Suggestion;

const SENTENCES = {
  overdue: (task, now) => ({
    title: `Finish ${quoted(task)}`,
    description: `It was due on ${dayOf(task.dueDate ?? now)}, ${agoOf(task.dueDate ?? now, now)}.`,
    priority: Math.max(task.priority, 4),
    confidence: 0.9,
  }),
  stale: (task, now) => ({
    title: `Take up ${quoted(task)} again, or drop it`,
    description: `Nothing about it has changed since ${dayOf(task.updatedAt)}, ${agoOf(task.updatedAt, now)}.`,
    priority: task.priority,
    confidence: 0.7,
  }),
  important: (task) => ({
    title: `Do ${quoted(task)} next`,
    description: `It has priority ${task.priority} and ${dueOf(task)}.`,
    priority: task.priority,
    confidence: 0.6,
  }),
  open: (task) => ({
    title: `${task.status === 'in_progress' ? 'Go on with' : 'Begin with'} ${quoted(task)}`,
    description: `It has priority ${task.priority} and ${dueOf(task)}.`,
    priority: task.priority,
    confidence: 0.4,
  }),
} as const satisfies Record<Pressure, Sentence>;

/** A title has 200 characters at most, with the words around it. */
const quoted = ({ title }: Task): string => `"${cutText(lineOf(title), 150)}"`;

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

function agoOf(date: Date, now: Date): string {
  const days = daysBetween(date, now);
  return days === 0 ? 'less than a day ago' : `${counted(days, 'day')} ago`;
}

const dueOf = ({ dueDate }: Task): string => (dueDate === null ? 'no due date' : `is due on ${dayOf(dueDate)}`);

const starter = (title: string, description: string, priority = 2): Suggestion => ({
  title,
  description,
  priority,
  confidence: 0.2,
});

/** As many as can be asked for. */
const STARTERS: readonly Suggestion[] = [
  starter('Write down the three things that matter most this week', 'Make each of them a task with a due date.', 3),
  starter('Plan the next working day', 'Choose what has to be done, and what can wait.', 3),
  starter('Collect what is on your mind', 'Write every open end down as a task; sort them later.'),
  starter('Give a due date to what has to be done in time', 'A task without a date is easily put off.'),
  starter('Split the largest thing ahead of you', 'Find a first step that takes less than an hour.'),
  starter('Answer what others are waiting for', 'A short answer today is often better than a long one next week.'),
  starter('Do one thing that takes less than five minutes', 'It is off the list, and a beginning is made.'),
  starter('Reserve an hour without interruptions', 'Use it for the thing that you keep putting off.'),
  starter('Look back on the last week', 'Note what went well, and what you would do differently.', 1),
  starter('Tidy up one place where you work', 'A desk, a folder, a mailbox: one is enough.', 1),
];
