// What a new agent may do, and which of its roles do nothing.
import type { AgentWithToken } from '../model/shapes.ts';
import { plural } from '../text/format.ts';

export const AgentAccess = ({ opens, warnings }: Pick<AgentWithToken, 'opens' | 'warnings'>) => (
  <>
    <p class="break">{opensText(opens)}</p>
    {warnings.map((warning) => (
      <p key={warning} class="break">
        <span class="pill warn">warning</span> {warning}
      </p>
    ))}
  </>
);

export function opensText(opens: readonly string[]): string {
  if (opens.length === 0) return 'It can read documents, but has no role that opens a typed skill.';
  return `It can read documents and invoke ${plural(opens.length, 'typed skill')}: ${opens.join(', ')}.`;
}
