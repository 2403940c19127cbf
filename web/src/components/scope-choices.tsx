// The scopes that an agent or a person may have, each with what it lets them do.

import { SCOPE_WORDS, SCOPES } from '../model/scope-words.ts';
import type { Scope } from '../model/shapes.ts';

interface ScopeChoicesProps {
  readonly chosen: readonly Scope[];
  readonly change: (chosen: readonly Scope[]) => void;
}

export const ScopeChoices = ({ chosen, change }: ScopeChoicesProps) => (
  <fieldset class="choices">
    <legend class="field-label">Scopes</legend>
    {SCOPES.map((scope) => (
      <label key={scope} class="choice">
        <input
          type="checkbox"
          checked={chosen.includes(scope)}
          onChange={() => change(toggled(chosen, scope))}
          aria-describedby={`about-${scope}`}
        />
        <span>
          {SCOPE_WORDS[scope].title} <code>{scope}</code>
        </span>
        <span class="field-hint" id={`about-${scope}`}>
          {SCOPE_WORDS[scope].text}
        </span>
      </label>
    ))}
  </fieldset>
);

/** With it where it was not, and the other way round. */
export const toggled = <T,>(chosen: readonly T[], one: T): readonly T[] =>
  chosen.includes(one) ? chosen.filter((each) => each !== one) : [...chosen, one];
