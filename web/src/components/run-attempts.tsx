// Each time that a run was tried, and what a person decided on it.
import { deciderText } from '../model/run-state.ts';
import type { InvocationWithResult, Me } from '../model/shapes.ts';
import { fullTimeText, plural } from '../text/format.ts';
import { Card } from './page.tsx';
import { When } from './when.tsx';

interface RunAttemptsProps {
  readonly run: InvocationWithResult;
  readonly me: Me;
}

export function RunAttempts({ run, me }: RunAttemptsProps) {
  const { attempts = [], approval } = run;
  const isDecided = typeof approval?.decided_by === 'string';
  if (attempts.length === 0 && !isDecided) return null;
  return (
    <Card title="Attempts" note={attempts.length === 0 ? 'none' : plural(attempts.length, 'attempt')}>
      <ol class="timeline">
        {isDecided && <Decision run={run} me={me} />}
        {attempts.map((attempt) => (
          <Attempt key={attempt.attempt} attempt={attempt} run={run} />
        ))}
      </ol>
    </Card>
  );
}

function Decision({ run: { approval }, me }: RunAttemptsProps) {
  if (approval === null || approval === undefined || approval.decided_by === null) return null;
  const { state, decided_by, decided_at, message } = approval;
  return (
    <li>
      <p>
        {state === 'approved' ? 'Approved' : 'Rejected'} by <strong>{deciderText(decided_by, me)}</strong>
        {message !== null && message !== '' && <>: {message}</>}
      </p>
      {decided_at !== null && (
        <span class="stamp muted">
          <When at={decided_at} />
        </span>
      )}
    </li>
  );
}

interface AttemptProps {
  readonly attempt: NonNullable<InvocationWithResult['attempts']>[number];
  readonly run: InvocationWithResult;
}

const Attempt = ({ attempt: { attempt, started_at, failure_code }, run }: AttemptProps) => (
  <li>
    <p>
      Attempt {attempt} <AttemptOutcome code={failure_code} isLast={attempt === run.attempts?.length} run={run} />
    </p>
    <span class="stamp muted" title={fullTimeText(new Date(started_at))}>
      <When at={started_at} />
    </span>
  </li>
);

interface OutcomeProps {
  readonly code: string | null;
  readonly isLast: boolean;
  readonly run: InvocationWithResult;
}

function AttemptOutcome({ code, isLast, run: { result } }: OutcomeProps) {
  const failed = code ?? (isLast && result?.success === false ? result.failure_code : null);
  if (failed !== null) return <span class="pill bad">{failed}</span>;
  if (!isLast || result !== null) return <span class="pill plain dot good">completed</span>;
  return <span class="pill info dot">running</span>;
}
