// The state of a run. What went as it should is shown quietly.
import { runState } from '../model/run-state.ts';
import type { InvocationWithResult } from '../model/shapes.ts';

interface RunPillProps {
  readonly status: string;
  readonly run: Pick<InvocationWithResult, 'result' | 'approval' | 'cancelled' | 'attempts'>;
}

export function RunPill({ status, run }: RunPillProps) {
  const { word, tone, code } = runState(status, run);
  return (
    <span class="pills">
      <span class={tone === 'good' || tone === '' ? `pill plain dot ${tone}` : `pill dot ${tone}`}>{word}</span>
      {code !== undefined && <span class="mono muted">{code}</span>}
    </span>
  );
}
