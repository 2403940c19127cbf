// `ownership_validation`: whether something belongs to a user. What is unknown belongs to no one (B1).
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { reportStoreFailure } from '../kit/failures.ts';
import { idField, limitedText } from '../kit/fields.ts';
import type { TaskStore } from '../ports/task-store.ts';

export const ownershipValidation = (tasks: TaskStore) =>
  defineSkill({
    name: 'ownership_validation',
    description: 'Tells whether a resource belongs to a user. The only resource_type there is so far is "task".',
    category: 'user_management',
    assignedTo: ['TaskAgent', 'UserAgent'],
    userField: 'user_id',
    input: z.object({
      user_id: idField.describe('The user who may own it.'),
      resource_type: limitedText({ max: 200 }).describe('What kind of thing it is: task.'),
      resource_id: idField.describe('The id of the thing.'),
    }),
    output: z.object({ is_owner: z.boolean(), resource_type: z.string(), resource_id: z.guid() }),
    successCriteria: ['is_owner is true only for something that is there and belongs to the user.'],
    failureModes: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 10,
    annotations: { readOnly: true, openWorld: false },
    run: ({ user_id, resource_type, resource_id }, context) =>
      reportStoreFailure(context, async () => {
        const isOwner = resource_type === 'task' && (await tasks.find(user_id, resource_id)) !== undefined;
        return { is_owner: isOwner, resource_type, resource_id };
      }),
  });
