// States as words with a colour: the word says it, the colour helps to find it.
import { fullTimeText, timeText } from '../text/format.ts';

const STATUS_TONES: Readonly<Record<string, string>> = {
  // What went as it should is said quietly.
  completed: 'plain good',
  failed: 'bad',
  timeout: 'bad',
  running: 'info',
  pending: 'info',
};

export const StatusPill = ({ status }: { readonly status: string }) => (
  <span class={`pill dot ${STATUS_TONES[status] ?? ''}`}>{status}</span>
);

const SEVERITY_TONES: Readonly<Record<string, string>> = { high: 'bad', medium: 'warn', low: 'info' };

export const SeverityPill = ({ severity }: { readonly severity: string }) => (
  <span class={`pill ${SEVERITY_TONES[severity] ?? ''}`}>{severity}</span>
);

export const FallbackPill = () => (
  <span class="pill warn" title="The file is broken now; this is its last good text">
    last good text
  </span>
);

export const UnnamedPill = () => (
  <span class="pill warn" title="Its SKILL.md gives no usable name or description: agents find it by its folder">
    no name
  </span>
);

export function Time({ at }: { readonly at: string }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={fullTimeText(moment)}>
      {timeText(moment)}
    </time>
  );
}
