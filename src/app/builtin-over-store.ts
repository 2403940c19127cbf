// The built-in skills over a store, all or those that were asked for. Loads the schema library.
import { monotonicMs } from '../async/monotonic-clock.ts';
import { type BuiltinPorts, createBuiltinSkills } from '../builtin/builtin-skills.ts';
import type { TokenIssuer } from '../builtin/ports/token-issuer.ts';
import { grantIn } from '../identity/lent-grants.ts';
import type { OAuthStore } from '../identity/oauth.ts';
import type { UserTokens } from '../identity/user-tokens.ts';
import type { AnySkill } from '../skills/define/define-skill.ts';
import { fail } from '../values/result.ts';
import type { Store } from './store.ts';

export interface BuiltinParts extends Pick<BuiltinPorts, 'ownership' | 'passwords'> {
  readonly store: Pick<Store, 'tasks' | 'users' | 'oauth'>;
  readonly tokens: UserTokens;
  readonly planning: NonNullable<BuiltinPorts['planning']>;
}

export function createBuiltinOverStore(
  names: 'all' | readonly string[],
  { store, tokens, ownership, passwords, planning }: BuiltinParts,
): readonly AnySkill[] {
  const { tasks, users, oauth } = store;
  const skills = createBuiltinSkills({
    tasks,
    users,
    tokens: whileGranted(tokens, oauth),
    passwords,
    now: () => new Date(),
    monotonicMs,
    ownership,
    planning,
  });
  return names === 'all' ? skills : skills.filter(({ name }) => names.includes(name));
}

/** A token that a client issued ends with the consent that the client had (O4). */
const whileGranted = ({ issue, verify }: UserTokens, { findGrant }: Pick<OAuthStore, 'findGrant'>): TokenIssuer => ({
  issue,
  verify: async (token) => {
    const verified = await verify(token);
    const grantId = verified.ok ? grantIn(verified.value.lends) : undefined;
    if (grantId === undefined) return verified;
    return (await findGrant(grantId))?.isRevoked === false ? verified : fail('bad');
  },
});
