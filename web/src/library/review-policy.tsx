// Whether versions wait for another person than their author: shown to all, and switched by the operator (L2).
import { useState } from 'preact/hooks';
import { ask, type Trouble } from '../api/ask.ts';
import { Failed } from '../components/states.tsx';
import type { LibraryList, Me } from '../model/shapes.ts';

interface ReviewPolicyProps {
  readonly review: LibraryList['review'];
  readonly me: Me;
  readonly changed: () => void;
}

const SAYS = {
  on: 'Review is on: another person than the author approves each version.',
  off: 'Review is off: what an approver publishes is served at once.',
} as const;

export function ReviewPolicy({ review, me, changed }: ReviewPolicyProps) {
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const other = review === 'on' ? 'off' : 'on';
  const turn = async () => {
    const answer = await ask('/api/review/policy', { method: 'POST', body: { review: other } });
    setTrouble(answer.ok ? undefined : answer.trouble);
    changed();
  };
  return (
    <>
      <div class="form-tools">
        <span class="small">{SAYS[review]}</span>
        {me.is_operator && (
          <button type="button" class="button little" onClick={turn}>
            Turn review {other}
          </button>
        )}
      </div>
      {trouble !== undefined && <Failed trouble={trouble} />}
    </>
  );
}
