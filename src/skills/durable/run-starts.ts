// How runs begin (J1, J3, J7): a request is admitted, sealed and stored, under its key if it has one; that of a schedule with its time.
import { randomUUID } from 'node:crypto';
import { asOwner, type Caller, refusalOf } from '../../identity/caller.ts';
import { findUnmarkedSecrets } from '../check/unmarked-secrets.ts';
import { failureOf } from '../define/failure.ts';
import type { Durability, RegisteredSkill } from '../define/registered-skill.ts';
import { correlationIdOf } from '../record/invocation-ids.ts';
import { StoreUnavailable } from '../record/invocation-log.ts';
import type { AdmittedRun } from '../run/invoke.ts';
import type { RunHooks } from '../run/runtime.ts';
import { traceRefusal } from '../run/trace-invocation.ts';
import { createHashKey, keyFault } from './run-keys.ts';
import type { KnownKey, NewRun, RunKey, RunStore } from './run-store.ts';
import { keepTrace } from './run-trace.ts';
import type { Run, RunRequest, StartedRun } from './runs.ts';
import type { SchedulerParts } from './scheduler.ts';
import type { SealedJson } from './sealed-json.ts';

export interface RunStartsParts {
  readonly store: Pick<RunStore, 'add' | 'find' | 'findKey' | 'tick'>;
  readonly find: (name: string) => RegisteredSkill | undefined;
  readonly admit: RunHooks['admit'];
  /** Every process admits the run of a time, and one of them adds it: counted by all, it would be refused by its limit. */
  readonly admitUncounted: RunHooks['admitUncounted'];
  readonly sealed: SealedJson;
  /** Shared by all processes of the store. */
  readonly secret: () => Promise<string>;
  /** There is something to carry out. */
  readonly wake: (id: string) => void;
  readonly now: () => Date;
}

export interface RunStarts {
  start(request: RunRequest): Promise<StartedRun>;
  readonly addScheduled: SchedulerParts['add'];
}

type Admitted = Extract<AdmittedRun, { readonly ok: true }>;
type OwnedRequest = RunRequest & { readonly caller: Caller };

/** How long a run waits for a person (J8). */
const APPROVAL_MS = 7 * 86_400_000;

export function createRunStarts(parts: RunStartsParts): RunStarts {
  const { store, admit, wake, now } = parts;
  const newRun = createNewRun(parts);
  const found = async (request: OwnedRequest, id: string): Promise<StartedRun> => {
    const run = await store.find(id);
    return run === undefined ? unstored(request, now()) : { state: 'stored', run, isNew: false };
  };
  /** Refused as any call is, and recorded as such (X2). */
  const refuse: Starting['refuse'] = async (request, fault, state) => {
    const admitted = await admit(request, failureOf('VALIDATION_ERROR', { details: `idempotency_key: ${fault}` }));
    return admitted.ok ? unstored(request, now()) : { state, answer: admitted.answer };
  };
  const again: Starting['again'] = async (request, { invocationId, isSameInput }) =>
    isSameInput ? found(request, invocationId) : refuse(request, 'was used with another input', 'conflict');
  const add: Starting['add'] = async (request, key) => {
    const admitted = await admit(request);
    if (!admitted.ok) return { state: 'ended', answer: admitted.answer };
    const run = await newRun(request, admitted, key);
    const added = await store.add(run);
    if (added.kind === 'known') return again(request, added);
    wake(run.invocation.id);
    return { state: 'stored', run: asStored(run), isNew: true };
  };
  const addWithKey = createAddWithKey(parts, { add, again, refuse });
  const begin = async (request: OwnedRequest): Promise<StartedRun> => {
    const [skill, key] = [parts.find(request.name), request.idempotencyKey];
    return skill === undefined || key === undefined ? add(request) : addWithKey(request, skill, key);
  };
  return {
    start: async (request) => {
      const { caller } = request;
      if (caller === undefined) throw new Error('A run needs a caller');
      const started = await orUnstored(request, begin({ ...request, caller }), now);
      if (started.state !== 'stored') traceRefusal(request.span, parts.find(request.name)?.name, started.answer);
      return started;
    },
    addScheduled: async ({ skill: name, input }, tick, caller) => {
      const request = { name, input, caller };
      const admitted = await parts.admitUncounted(request);
      const run = admitted.ok ? await newRun(request, admitted) : undefined;
      const isFirst = await store.tick(tick, run);
      if (isFirst && run !== undefined) wake(run.invocation.id);
      return isFirst;
    },
  };
}

const createNewRun =
  ({ sealed }: RunStartsParts) =>
  async (request: OwnedRequest, { invocation, skill }: Admitted, key?: RunKey): Promise<NewRun> => ({
    invocation,
    caller: request.caller,
    sealed: await sealed.seal(request.input ?? {}, invocation.id),
    durability: skill.durable ?? NOT_AGAIN,
    approvalMs: skill.needsApproval ? APPROVAL_MS : undefined,
    key,
    trace: await keepTrace(request.span, invocation.id, sealed),
  });

/** Not read again: if the store went away meanwhile, a run that is stored would look refused, and be called a second time. */
const asStored = ({ invocation, caller, approvalMs }: NewRun): Run => ({
  invocation,
  result: undefined,
  owner: asOwner(caller),
  attempts: [],
  progress: undefined,
  approval:
    approvalMs === undefined
      ? undefined
      : {
          state: 'waiting',
          expiresAt: new Date(invocation.timestamp.getTime() + approvalMs),
          decidedBy: undefined,
          decidedAt: undefined,
          message: undefined,
        },
  isCancelled: false,
  updatedAt: invocation.timestamp,
});

/** What may become of a call that is to be a run. */
interface Starting {
  readonly add: (request: OwnedRequest, key?: RunKey) => Promise<StartedRun>;
  /** The run that its key stands for: nothing is limited, checked or stored anew. */
  readonly again: (request: OwnedRequest, known: KnownKey) => Promise<StartedRun>;
  /** `fault`: of its key. */
  readonly refuse: (request: OwnedRequest, fault: string, state: 'ended' | 'conflict') => Promise<StartedRun>;
}

function createAddWithKey({ store, secret }: RunStartsParts, { add, again, refuse }: Starting) {
  const hashKey = createHashKey(secret);
  /** By the hash of a key: the first call with it, while it is under way. */
  const firsts = new Map<string, Promise<StartedRun>>();
  /** Of many at once the first alone is counted: the others find its run (J3), or fail with it when the store is away. */
  const afterFirst = (keyHash: string, begin: () => Promise<StartedRun>): Promise<StartedRun> => {
    const first = firsts.get(keyHash);
    if (first !== undefined) return first.then(begin);
    const own = begin().finally(() => firsts.delete(keyHash));
    firsts.set(keyHash, own);
    return own;
  };
  return async (request: OwnedRequest, skill: RegisteredSkill, key: string): Promise<StartedRun> => {
    const { caller, input = {} } = request;
    // Who may not invoke it learns nothing of its keys.
    if (refusalOf(caller, skill.access, input) !== undefined) return add(request);
    const fault = findKeyFault(key, skill);
    if (fault !== undefined) return refuse(request, fault, 'ended');
    const hashed = await hashKey({ key, skill: skill.name, caller, input });
    return afterFirst(hashed.keyHash, async () => {
      const known = await store.findKey(hashed);
      return known === undefined ? add(request, hashed) : again(request, known);
    });
  };
}

async function orUnstored(request: RunRequest, started: Promise<StartedRun>, now: () => Date): Promise<StartedRun> {
  try {
    return await started;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return unstored(request, now());
  }
}

/** Of a skill that is not durable by itself: it is not carried out again. */
const NOT_AGAIN: Durability = { idempotent: false, attempts: 1, backoffSeconds: 0, resumes: false };

/** Ends the sentence "idempotency_key: …". */
function findKeyFault(key: string, { output, name }: RegisteredSkill): string | undefined {
  const fault = keyFault(key);
  if (fault !== undefined) return fault;
  // Also what is only called like a secret: the log does not keep that either.
  if (!output.secrecy.holdsSecret && findUnmarkedSecrets(output.json).length === 0) return undefined;
  return `the output of "${name}" has secrets, which are not kept; call it without a key`;
}

/** The store is away: nothing is known of it. */
const unstored = ({ correlationId }: RunRequest, timestamp: Date): StartedRun => ({
  state: 'ended',
  answer: {
    invocationId: randomUUID(),
    correlationId: correlationIdOf(correlationId).id,
    success: false,
    failure: failureOf('PERSISTENCE_ERROR', {}),
    durationMs: 0,
    timestamp,
  },
});
