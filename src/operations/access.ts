// Who may ask an operation, as data, and the one place that looks at it (H5).
import type { Caller, Scope } from '../identity/caller.ts';

export interface OperationAccess {
  /** `anyone`: without a credential. `caller`: with any valid one. `operator`: nobody else, but for `scope`. */
  readonly who: 'anyone' | 'caller' | 'operator';
  /** Lets in whoever has it beside the operator. */
  readonly scope?: Scope;
  /** `permitted`: only what this caller may see or invoke. `everyone`: things of all callers. */
  readonly about: 'permitted' | 'everyone';
}

export const ANYONE: OperationAccess = { who: 'anyone', about: 'permitted' };
export const ANY_CALLER: OperationAccess = { who: 'caller', about: 'permitted' };
export const LOG_READERS: OperationAccess = { who: 'operator', scope: 'log:read', about: 'everyone' };
export const OPERATOR_ONLY: OperationAccess = { who: 'operator', about: 'everyone' };

/** Why this caller may not ask, as the end of "Access denied: …"; `undefined` when they may. */
export function findAccessFault({ who, scope }: OperationAccess, { kind, scopes }: Caller): string | undefined {
  if (who !== 'operator' || kind === 'operator') return undefined;
  if (scope === undefined) return 'this needs the operator';
  return scopes.includes(scope) ? undefined : `this needs the operator, or an agent with the scope ${scope}`;
}
