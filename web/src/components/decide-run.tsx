// A run that waits for a person: what there is to know before one decides, a message, and the two buttons (J8).
import { useState } from 'preact/hooks';
import type { Trouble } from '../api/ask.ts';
import type { Verdict } from '../api/use-runs.ts';
import { starterText } from '../model/run-state.ts';
import type { InvocationWithResult, Me } from '../model/shapes.ts';
import { Card } from './page.tsx';
import { When } from './when.tsx';

interface DecideRunProps {
  readonly run: InvocationWithResult;
  readonly me: Me;
  readonly act: (verdict: Verdict, message?: string) => void;
  readonly isBusy: boolean;
  readonly trouble: Trouble | undefined;
}

/** As much as the server takes. */
const MOST = 1_000;

export function DecideRun({ run, me, act, isBusy, trouble }: DecideRunProps) {
  const [message, setMessage] = useState('');
  const { invocation, approval } = run;
  if (approval?.state !== 'waiting' || run.result !== null) return null;
  // The right may be gone since the run was asked for.
  if (run.may_decide !== true || !me.may_decide_runs) return <Waits run={run} me={me} />;
  const decide = (verdict: Verdict) => () => !isBusy && act(verdict, message);
  return (
    <Card
      title="Your decision"
      isMarked
      note={
        <>
          expires <When at={approval.expires_at} />
        </>
      }
    >
      <form class="card-body" onSubmit={(event) => event.preventDefault()}>
        <p>
          <strong>{starterText(invocation.invoking_agent, me)}</strong> wants to run{' '}
          <strong>{invocation.skill_name}</strong> with the input below. Nothing has run yet.
        </p>
        <div class="field">
          <label class="field-label" for="decision-message">
            Message <span class="field-hint">told to the caller, and kept in the trail</span>
          </label>
          <textarea
            id="decision-message"
            rows={2}
            maxLength={MOST}
            value={message}
            onInput={(event) => setMessage(event.currentTarget.value)}
          />
        </div>
        <p class="field-fault" role="alert">
          {trouble?.message}
        </p>
        <div class="form-tools">
          <button type="button" class="button primary" aria-disabled={isBusy} onClick={decide('approve')}>
            Approve
          </button>
          <button type="button" class="button danger" aria-disabled={isBusy} onClick={decide('reject')}>
            Reject
          </button>
        </div>
      </form>
    </Card>
  );
}

/** For those who may only wait. */
const Waits = ({ run: { approval }, me }: Pick<DecideRunProps, 'run' | 'me'>) => (
  <div class="card">
    <div class="notice">
      <h2>It waits for a person</h2>
      <p>
        {me.may_decide_runs ? 'You started it: another person decides, or the operator. ' : WHO_DECIDES}
        {approval !== null && approval !== undefined && (
          <>
            It expires <When at={approval.expires_at} />.
          </>
        )}
      </p>
    </div>
  </div>
);

const WHO_DECIDES = 'Someone with the scope runs:approve who did not start it decides, or the operator. ';
