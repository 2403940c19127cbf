// The built-in skills over a store, all or those that were asked for. Loads the schema library.
import { monotonicMs } from '../async/monotonic-clock.ts';
import { type BuiltinPorts, createBuiltinSkills } from '../builtin/builtin-skills.ts';
import type { TokenIssuer } from '../builtin/ports/token-issuer.ts';
import { type VerifyGranted, whileGranted } from '../identity/granted-tokens.ts';
import type { UserTokens } from '../identity/user-tokens.ts';
import type { AnySkill } from '../skills/define/define-skill.ts';
import { fail, ok } from '../values/result.ts';
import type { Store } from './store.ts';

export interface BuiltinParts extends Pick<BuiltinPorts, 'ownership' | 'passwords'> {
  readonly store: Pick<Store, 'tasks' | 'users' | 'oauth'>;
  readonly tokens: UserTokens;
  /** As what lets callers in verifies them; absent where none are let in. */
  readonly verifyGranted?: () => VerifyGranted | undefined;
  readonly planning: NonNullable<BuiltinPorts['planning']>;
}

export function createBuiltinOverStore(
  names: 'all' | readonly string[],
  { store, tokens, verifyGranted = () => undefined, ownership, passwords, planning }: BuiltinParts,
): readonly AnySkill[] {
  const { tasks, users, oauth } = store;
  const skills = createBuiltinSkills({
    tasks,
    users,
    tokens: checkedTokens({ tokens, verifyGranted, oauth }),
    passwords,
    now: () => new Date(),
    monotonicMs,
    ownership,
    planning,
  });
  return names === 'all' ? skills : skills.filter(({ name }) => names.includes(name));
}

type TokenParts = Required<Pick<BuiltinParts, 'tokens' | 'verifyGranted'>> & Pick<BuiltinParts['store'], 'oauth'>;

function checkedTokens({ tokens: { issue, verify }, verifyGranted, oauth }: TokenParts): TokenIssuer {
  // Without callers nothing is known of the operator's token and of the server's name: a consent is good until it is revoked.
  const alone = whileGranted(verify, async (grantId) => {
    const grant = await oauth.findGrant(grantId);
    return grant?.isRevoked === false ? ok(grant) : fail('bad');
  });
  return { issue, verify: (token) => (verifyGranted() ?? alone)(token, true) };
}
