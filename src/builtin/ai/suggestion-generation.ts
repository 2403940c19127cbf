// `suggestion_generation`: what a user could do next, by a language model, or from their own tasks without one (B3).
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { reportStoreFailure } from '../kit/failures.ts';
import { defaultingField, idField, limitedText, optionalField } from '../kit/fields.ts';
import type { TaskStore } from '../ports/task-store.ts';
import { type AiModel, askOrDegrade } from './ai-model.ts';
import { listOpenTasks, rankTasks } from './pressing-tasks.ts';
import { askForSuggestions } from './prompt.ts';
import { parseSuggestions, suggestFromTasks, suggestionItem } from './suggestions.ts';

export interface SuggestionPorts {
  readonly tasks: TaskStore;
  /** Absent: the operator configured none. */
  readonly model: AiModel | undefined;
  readonly now: () => Date;
}

export const suggestionGeneration = ({ tasks, model, now }: SuggestionPorts) =>
  defineSkill({
    name: 'suggestion_generation',
    description:
      "Suggests what a user could do next, from the user's open tasks and, if given, a context in words. Without a " +
      'language model the suggestions come from the tasks and the words of the context, and degraded is true.',
    category: 'ai',
    assignedTo: ['AIAgent'],
    userField: 'user_id',
    input: z.object({
      user_id: idField.describe('For whom to suggest something: the id of a user.'),
      context: optionalField(limitedText({ max: 100_000 })).describe('What it is about now, in words.'),
      count: defaultingField(z.int().min(1).max(10), 3).describe('How many suggestions to give at most.'),
    }),
    output: z.object({ suggestions: z.array(suggestionItem), degraded: z.boolean() }),
    successCriteria: ['At most count suggestions, from nothing but the tasks of this user and the context.'],
    failureModes: ['VALIDATION_ERROR', 'NOT_FOUND', 'UNAUTHORIZED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 30,
    annotations: { readOnly: true, openWorld: true },
    run: ({ user_id, context: wish, count }, context) =>
      reportStoreFailure(context, async () => {
        const open = await listOpenTasks(tasks, user_id);
        if (open === undefined) return failure('NOT_FOUND', { resource: `user ${user_id}` });
        const time = now();
        const ranked = rankTasks(open, time);
        const data = { tasks: ranked.map(({ task }) => task), now: time, context: wish };
        const { value: suggestions, degraded } = await askOrDegrade(model, context, {
          messages: askForSuggestions(data, count),
          parse: (answer) => parseSuggestions(answer, count),
          instead: () => suggestFromTasks({ ranked, now: time, context: wish }, count),
        });
        return { suggestions: [...suggestions], degraded };
      }),
  });
