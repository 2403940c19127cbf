// `token_validation`: whose token it is and what it permits. A bad one is an answer, not a failure, and always the same (B2).
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { secret } from '../../skills/define/secret.ts';
import { reportStoreFailure } from '../kit/failures.ts';
import { defaultingField, scopesField } from '../kit/fields.ts';
import type { TokenIssuer } from '../ports/token-issuer.ts';
import type { UserStore } from '../ports/user-store.ts';

export const tokenValidation = (users: UserStore, tokens: TokenIssuer) =>
  defineSkill({
    name: 'token_validation',
    description: 'Tells whether an access token is valid and has all of the required scopes, and whose it is.',
    category: 'authentication',
    assignedTo: ['AuthAgent'],
    input: z.object({
      token: secret(z.string()).describe('The access token, as token_generation gave it.'),
      required_scopes: defaultingField(scopesField, []).describe('Scopes that it must have, all of them.'),
    }),
    output: z.object({
      valid: z.boolean(),
      user_id: z.guid().nullable(),
      email: z.string().nullable(),
      scopes: z.array(z.string()),
      expires_at: z.iso.datetime().nullable(),
    }),
    successCriteria: ['valid is true only for a token of ours that has not expired, of a user who is still there.'],
    failureModes: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 10,
    annotations: { readOnly: true, openWorld: false },
    run: ({ token, required_scopes }, context) =>
      reportStoreFailure(context, async () => {
        const verified = await tokens.verify(token);
        if (!verified.ok) return verified.failure === 'unavailable' ? failure('PERSISTENCE_ERROR') : INVALID;
        const { userId, email, scopes, expiresAt } = verified.value;
        const isGranted = required_scopes.every((scope) => scopes.includes(scope));
        if (!isGranted || (await users.find(userId)) === undefined) return INVALID;
        return { valid: true, user_id: userId, email, scopes: [...scopes], expires_at: expiresAt.toISOString() };
      }),
  });

/** One shape for all: forged, expired, of a user who is gone, without a scope. */
const INVALID = { valid: false, user_id: null, email: null, scopes: [], expires_at: null };
