// `ownership_validation`: whether something belongs to a user: a task, or what the operator's configuration knows the owners
// of. An id that is not known belongs to no one (B1).
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { reportStoreFailure } from '../kit/failures.ts';
import { idField } from '../kit/fields.ts';
import type { Ownership } from '../ports/ownership.ts';
import type { TaskStore } from '../ports/task-store.ts';

export const ownershipValidation = (tasks: TaskStore, ownership: Ownership = {}) => {
  const isOwnerOf = new Map<string, IsOwner>([
    ['task', async (userId, taskId) => (await tasks.find(userId, taskId)) !== undefined],
    ...Object.entries(ownership),
  ]);
  const types = [...isOwnerOf.keys()];
  return defineSkill({
    name: 'ownership_validation',
    description: 'Tells whether something belongs to a user: a task, or what the configuration adds.',
    category: 'user_management',
    assignedTo: ['TaskAgent', 'UserAgent'],
    userField: 'user_id',
    input: z.object({
      user_id: idField.describe('The user who may own it.'),
      resource_type: z
        .enum(types, { error: `is not known here: known are ${types.join(', ')}` })
        .describe('What kind of thing it is.'),
      resource_id: idField.describe('The id of the thing.'),
    }),
    output: z.object({ is_owner: z.boolean(), resource_type: z.string(), resource_id: z.guid() }),
    successCriteria: ['is_owner is true only for something that is there and belongs to the user.'],
    failureModes: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 10,
    annotations: { readOnly: true, openWorld: false },
    run: ({ user_id, resource_type, resource_id }, context) =>
      reportStoreFailure(context, async () => {
        const is_owner: unknown = await isOwnerOf.get(resource_type)?.(user_id, resource_id);
        // Of the operator's own code: something that merely counts as true must not make a user an owner.
        if (typeof is_owner !== 'boolean') throw new TypeError(`ownership of "${resource_type}" gave no truth value`);
        return { is_owner, resource_type, resource_id };
      }),
  });
};

type IsOwner = Ownership[string];
