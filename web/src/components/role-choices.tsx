// The roles that an agent or a person may have: every one that a typed skill names, to be ticked, and others by their names.
import { useState } from 'preact/hooks';
import { useLoaded } from '../api/use-loaded.ts';
import type { DefinitionList } from '../model/shapes.ts';
import { toggled } from './scope-choices.tsx';

/** Opens every typed skill. */
const EVERY = '*';

interface RoleChoicesProps {
  readonly chosen: readonly string[];
  readonly change: (chosen: readonly string[]) => void;
  /** Those that stay offered when they are taken away. */
  readonly had?: readonly string[];
  readonly hint?: string;
}

export function RoleChoices({ chosen, change, had = [], hint }: RoleChoicesProps) {
  const { value } = useLoaded<DefinitionList>('/api/typed-skills');
  const named = value?.skills.flatMap(({ assigned_to }) => assigned_to) ?? [];
  const roles = [...new Set([EVERY, ...named.toSorted(), ...had, ...chosen])];
  return (
    <fieldset class="choices">
      <legend class="field-label">Roles</legend>
      {hint !== undefined && <p class="field-hint whole">{hint}</p>}
      {roles.map((role) => (
        <label key={role} class="choice">
          <input type="checkbox" checked={chosen.includes(role)} onChange={() => change(toggled(chosen, role))} />
          <span>{role === EVERY ? 'Every typed skill' : role}</span>
          {role === EVERY && <span class="field-hint">The role {EVERY}</span>}
        </label>
      ))}
      <OtherRole add={(role) => !chosen.includes(role) && change([...chosen, role])} />
    </fieldset>
  );
}

/** One that no skill names yet. */
function OtherRole({ add }: { readonly add: (role: string) => void }) {
  const [role, setRole] = useState('');
  const addRole = () => {
    if (role.trim() === '') return;
    add(role.trim());
    setRole('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    addRole();
  };
  return (
    <div class="token-form whole">
      <div class="field">
        <label class="field-label" for="other-role">
          Another role
        </label>
        <input
          id="other-role"
          type="text"
          autocomplete="off"
          spellcheck={false}
          value={role}
          onInput={(event) => setRole(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <button type="button" class="button" onClick={addRole}>
        Add role
      </button>
    </div>
  );
}
