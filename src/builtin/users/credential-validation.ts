// `credential_validation`: whether an email and a password belong together. Never says which of them is wrong (B4).
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { reportStoreFailure } from '../kit/failures.ts';
import { limitedText, passwordField } from '../kit/fields.ts';
import type { CheckPassword } from './password-check.ts';

export const credentialValidation = (check: CheckPassword) =>
  defineSkill({
    name: 'credential_validation',
    description: 'Tells whether a password is that of the user with this email. Ten tries per minute and email.',
    category: 'authentication',
    assignedTo: ['AuthAgent'],
    input: z.object({
      // Without the rules for new ones: an email that no user can have is answered like one that no user has.
      email: limitedText({ min: 1, max: 254 }).describe('The email of the user. Letter case does not count.'),
      // Longer than a new one may be: earlier versions took more.
      password: passwordField({ min: 1, max: 4_096 }).describe('The password to compare.'),
    }),
    output: z.object({ valid: z.boolean(), user_id: z.guid().nullable() }),
    successCriteria: ['valid is true only for the password of that user, and then user_id is theirs.'],
    failureModes: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'RATE_EXCEEDED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 15,
    annotations: { readOnly: true, openWorld: false },
    limits: { atOnce: 256 },
    run: ({ email, password }, context) =>
      reportStoreFailure(context, async () => {
        const checked = await check(email, password, context.signal);
        if (checked === 'wrong') return { valid: false, user_id: null };
        if ('retryAfter' in checked) return failure('RATE_EXCEEDED', { retry_after: checked.retryAfter });
        return { valid: true, user_id: checked.userId };
      }),
  });
