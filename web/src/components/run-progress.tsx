// How far a run has come, as it said last.
import type { Run } from '../model/shapes.ts';
import { countText } from '../text/format.ts';

export function RunProgress({ progress }: { readonly progress: NonNullable<Run['progress']> }) {
  const { done, total, message } = progress;
  const share = total === null || total <= 0 ? undefined : Math.min(1, Math.max(0, done / total));
  return (
    <span class="run-progress">
      {share !== undefined && (
        <span class="bar" aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
      <span class="small muted break">
        {countText(done)}
        {total !== null && ` of ${countText(total)}`}
        {message !== null && message !== '' && ` · ${message}`}
      </span>
    </span>
  );
}
