// The trace that a run is part of: kept sealed beside its steps, so that whichever process carries it out, and whenever, its spans
// are below the call that asked for it (N5).
import type { ResumeSpan, Span, SpanPlace } from '../../values/trace.ts';
import type { NewRun, RunStore } from './run-store.ts';
import type { SealedJson } from './sealed-json.ts';

/** Those of steps and questions have a word behind them. */
const STEP = 'trace';

/** Nothing where the call is not traced. */
export async function keepTrace(span: Span | undefined, id: string, sealed: SealedJson): Promise<NewRun['trace']> {
  if (span?.place === undefined) return undefined;
  return { step: STEP, sealed: await sealed.seal(span.place, aboutTrace(id)) };
}

/** `resume` is absent where no traces are sent: then nothing is looked up. */
export async function findTrace(
  id: string,
  store: Pick<RunStore, 'steps'>,
  { sealed, resume }: { readonly sealed: SealedJson; readonly resume: ResumeSpan | undefined },
): Promise<Span | undefined> {
  if (resume === undefined) return undefined;
  try {
    const kept = (await store.steps(id)).get(STEP);
    // Sealed above.
    return kept === undefined ? undefined : resume((await sealed.unseal(kept, aboutTrace(id))) as SpanPlace);
  } catch {
    // Whatever it is: what only tells of a run must not keep it from running.
    return undefined;
  }
}

/** As the steps of a run are sealed: all of them are opened together. */
const aboutTrace = (id: string): string => `${id} ${STEP}`;
