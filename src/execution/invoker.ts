// Invokes steps from outside of a skill: one caller, one correlation id for all of them (X6).
import { correlationIdOf } from './call-ids.ts';
import type { Runtime } from './runtime.ts';
import type { InvokeRequest } from './session.ts';
import type { InvokeStep } from './skill-context.ts';

export function invokerOf(runtime: Runtime, common: Omit<InvokeRequest, 'name' | 'input'> = {}): InvokeStep {
  const correlationId = common.correlationId ?? correlationIdOf(undefined).id;
  return (name, input) => runtime.invoke({ ...common, correlationId, name, input });
}
