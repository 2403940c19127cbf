// `account_deletion`: removes a user and everything that is theirs (B4).
import { z } from 'zod';
import { actorOf } from '../../identity/trail.ts';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { reportStoreFailure } from '../kit/failures.ts';
import { idField } from '../kit/fields.ts';
import type { UserStore } from '../ports/user-store.ts';

export const accountDeletion = (users: UserStore, now: () => Date) =>
  defineSkill({
    name: 'account_deletion',
    description: 'Deletes a user for good, with all of their tasks. Their tokens are worth nothing afterwards.',
    category: 'user_management',
    assignedTo: ['UserAgent'],
    input: z.object({ user_id: idField.describe('The user to delete, with all of their tasks.') }),
    output: z.object({ user_id: z.guid(), deleted_at: z.iso.datetime() }),
    successCriteria: ['The user and all of their tasks are gone.'],
    failureModes: ['VALIDATION_ERROR', 'NOT_FOUND', 'UNAUTHORIZED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 10,
    annotations: { destructive: true, openWorld: false },
    run: ({ user_id }, context) =>
      reportStoreFailure(context, async () => {
        const isDeleted = await users.delete(user_id, actorOf(context.caller));
        if (!isDeleted) return failure('NOT_FOUND', { resource: `user ${user_id}` });
        return { user_id, deleted_at: now().toISOString() };
      }),
  });
