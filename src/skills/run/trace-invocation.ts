// One invocation as a span: what ran and how it ended, under the names of the semantic conventions. No input, no output.
import type { Span } from '../../values/trace.ts';
import type { Failure } from '../define/failure.ts';
import type { SkillAnswer } from '../define/invocation.ts';

/** How it ended, as far as a trace tells. */
type Ended = Pick<SkillAnswer, 'invocationId' | 'correlationId'> &
  ({ readonly success: true } | { readonly success: false; readonly failure: Pick<Failure, 'code' | 'message'> });

/** `name`: of the skill; absent: there is none. `run` gets the span that steps are children of. Rejects as `run` does. */
export const traceInvocation = (
  parent: Span,
  name: string | undefined,
  run: (span: Span) => Promise<SkillAnswer>,
): Promise<SkillAnswer> => traceAttempt(parent, { name }, run, (answer) => answer);

interface Attempted {
  readonly name: string | undefined;
  /** Of a run, from 1: each is a span of its own. */
  readonly attempt?: number | undefined;
}

/** As `traceInvocation`, for what answers in another shape. */
export async function traceAttempt<T>(
  parent: Span,
  attempted: Attempted,
  run: (span: Span) => Promise<T>,
  endedOf: (answer: T) => Ended,
): Promise<T> {
  const span = beginSpan(parent, attempted);
  try {
    const answer = await run(span);
    endSpan(span, endedOf(answer));
    return answer;
  } catch (error) {
    // What went wrong is told where it is caught.
    span.end({}, { type: 'INTERNAL_ERROR' });
    throw error;
  }
}

/** One that was answered without a run. */
export const traceRefusal = (parent: Span | undefined, name: string | undefined, answer: Ended): void => {
  if (parent !== undefined) endSpan(beginSpan(parent, { name }), answer);
};

const OPERATION = 'execute_tool';

const beginSpan = (parent: Span, { name, attempt }: Attempted): Span =>
  parent.child(name === undefined ? OPERATION : `${OPERATION} ${name}`, {
    'gen_ai.operation.name': OPERATION,
    'gen_ai.tool.name': name,
    'gen_ai.tool.type': 'function',
    'repertoire.attempt': attempt,
  });

function endSpan(span: Span, ended: Ended): void {
  const ids = { 'repertoire.invocation_id': ended.invocationId, 'repertoire.correlation_id': ended.correlationId };
  if (ended.success) span.end({ ...ids, 'repertoire.outcome': 'success' });
  else {
    const { code, message } = ended.failure;
    span.end({ ...ids, 'repertoire.outcome': code }, { type: code, message });
  }
}

/** What the log is asked to keep. Without a span there is nothing around it: most calls are not traced. */
export const traceWrite = (
  parent: Span | undefined,
  what: 'begin' | 'end',
  write: () => Promise<boolean>,
): Promise<boolean> => (parent === undefined ? write() : spanAround(parent.child(`record ${what}`), write));

async function spanAround(span: Span, write: () => Promise<boolean>): Promise<boolean> {
  const isKept = await write();
  span.end({}, isKept ? undefined : { type: 'PERSISTENCE_ERROR' });
  return isKept;
}
