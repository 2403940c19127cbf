// `token_generation`: a token with which a user calls (B2). The answer is the only place that ever shows it.
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { failure } from '../../skills/define/failure.ts';
import { secret } from '../../skills/define/secret.ts';
import { emailKeyOf } from '../../text/email-key.ts';
import { reportStoreFailure } from '../kit/failures.ts';
import { defaultingField, idField, limitedText, scopesField } from '../kit/fields.ts';
import type { TokenIssuer } from '../ports/token-issuer.ts';
import type { UserStore } from '../ports/user-store.ts';

export const tokenGeneration = (users: UserStore, tokens: TokenIssuer) =>
  defineSkill({
    name: 'token_generation',
    description: 'Issues an access token for a user, valid from 300 seconds up to a day; an hour unless said.',
    category: 'authentication',
    assignedTo: ['AuthAgent'],
    input: z.object({
      user_id: idField.describe('The user who will call with the token.'),
      email: limitedText({ min: 1, max: 254 }).describe("The user's own email; another one is refused."),
      scopes: defaultingField(scopesField, []).describe(
        'What the token says it may be used for, to your own programs; it grants nothing here.',
      ),
      expires_in_seconds: defaultingField(z.int().min(300).max(86_400), 3_600).describe('How long it is valid.'),
    }),
    output: z.object({
      access_token: secret(z.string()),
      token_type: z.literal('Bearer'),
      expires_at: z.iso.datetime(),
    }),
    successCriteria: ['The token is that of a known user with this email, and ends at expires_at.'],
    failureModes: ['VALIDATION_ERROR', 'NOT_FOUND', 'UNAUTHORIZED', 'PERSISTENCE_ERROR'],
    timeoutSeconds: 10,
    annotations: { destructive: false, openWorld: false },
    run: ({ user_id, email, scopes, expires_in_seconds }, context) =>
      reportStoreFailure(context, async () => {
        const user = await users.find(user_id);
        // One answer for both: it does not tell whose email it is.
        if (user === undefined || emailKeyOf(user.email) !== emailKeyOf(email)) {
          return failure('NOT_FOUND', { resource: `user ${user_id} with this email` });
        }
        const owner = { userId: user.id, email: user.email, scopes: [...new Set(scopes)], issuer: context.caller };
        const { token, expiresAt } = await tokens.issue(owner, expires_in_seconds);
        return { access_token: token, token_type: 'Bearer' as const, expires_at: expiresAt.toISOString() };
      }),
  });
