// `user_creation`: a new user with an email that no other user has, and a password (B2).

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { invalidField, reportStoreFailure } from '../kit/failures.ts';
import { limitedText, optionalField, passwordField } from '../kit/fields.ts';
import type { UserStore } from '../ports/user-store.ts';
import type { Passwords } from './passwords.ts';

export const userCreation = (users: Pick<UserStore, 'create'>, passwords: Passwords, now: () => Date) =>
  defineSkill({
    name: 'user_creation',
    description:
      'Creates a user with an email address, a password of 8 to 128 characters and, if wanted, a name to show.',
    category: 'user_management',
    assignedTo: ['UserAgent'],
    input: z.object({
      email: emailField.describe('An address that no other user has, letter case aside.'),
      password: passwordField({ min: 8, max: 128 }).describe('Kept as a hash only, shown nowhere.'),
      display_name: optionalField(displayNameField).describe('The name to show for the user.'),
    }),
    output: z.object({ user_id: z.guid(), email: z.string(), created_at: z.iso.datetime() }),
    successCriteria: ['The user is stored; the password only as a hash.'],
    failureModes: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 15,
    annotations: { destructive: false, openWorld: false },
    limits: { atOnce: 256 },
    run: ({ email, password, display_name: displayName = null }, context) =>
      reportStoreFailure(context, async () => {
        const passwordHash = await passwords.hash(password, context.signal);
        const user = { id: randomUUID(), email, displayName, createdAt: now() };
        const isCreated = await users.create({ ...user, passwordHash });
        if (!isCreated) return invalidField('email', 'belongs to another user already');
        return { user_id: user.id, email, created_at: user.createdAt.toISOString() };
      }),
  });

/** As long as mail can be delivered. Only then is the pattern tried: on a long text it takes the square of its length. */
const emailField = limitedText({ min: 1, max: 254 }).regex(/^[^@]+@[^@]+\.[^@]+$/, {
  error: 'must be an email address',
});

const displayNameField = limitedText({ max: 100 });
