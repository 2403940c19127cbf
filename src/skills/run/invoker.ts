// Invokes steps from outside of a skill: one caller, one correlation id for all of them (X6).
import { setMaxListeners } from 'node:events';
import type { InvokeStep } from '../define/define-skill.ts';
import { correlationIdOf } from '../record/invocation-ids.ts';
import type { Runtime } from './runtime.ts';
import type { InvokeRequest } from './session.ts';

/**
 * Invokes steps of `chain` and `parallel` from outside of a skill: one caller, one correlation id for all of them.
 *
 * @example
 * const invoke = invokerOf(runtime, { caller: agentCaller('PlannerAgent') });
 * const ran = await parallel([{ skill: 'greet', input: { name: 'Ada' } }], invoke);
 */
export function invokerOf(runtime: Runtime, common: Omit<InvokeRequest, 'name' | 'input'> = {}): InvokeStep {
  const correlationId = common.correlationId ?? correlationIdOf(undefined).id;
  const signal = common.signal && signalForMany(common.signal);
  return (name, input) => runtime.invoke({ ...common, correlationId, signal, name, input });
}

/** One listener on the caller's signal, however many steps there are: Node would call eleven a leak. */
function signalForMany(outer: AbortSignal): AbortSignal {
  const signal = AbortSignal.any([outer]);
  setMaxListeners(0, signal);
  return signal;
}
