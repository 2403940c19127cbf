// What one person may do, to be changed: every role that a typed skill names and every scope, each to be ticked.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, ask, type Trouble } from '../api/ask.ts';
import { bringIntoView } from '../browser/into-view.ts';
import type { GrantedPerson, Person, Scope } from '../model/shapes.ts';
import { RoleChoices } from './role-choices.tsx';
import { ScopeChoices } from './scope-choices.tsx';

interface GrantEditorProps {
  readonly person: Person;
  readonly onSaved: (granted: GrantedPerson) => void;
  readonly cancel: () => void;
}

export function GrantEditor({ person, onSaved, cancel }: GrantEditorProps) {
  const [roles, setRoles] = useState<readonly string[]>(person.roles);
  const [scopes, setScopes] = useState<readonly Scope[]>(person.scopes);
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const place = useRef<HTMLElement>(null);
  useEffect(() => bringIntoView(place.current), []);
  const save = async (event: Event) => {
    event.preventDefault();
    const answer = await saveGrants(person, { roles, scopes });
    if (answer === undefined) return cancel();
    setTrouble(answer.ok ? undefined : answer.trouble);
    if (answer.ok) onSaved(answer.value);
  };
  const title = `What ${person.email} may do`;
  return (
    <section class="card marked" ref={place} tabIndex={-1} aria-label={title}>
      <header>
        <h2 class="break">{title}</h2>
      </header>
      <form class="card-body" onSubmit={save}>
        <div class="halves">
          <RoleChoices chosen={roles} change={setRoles} had={person.roles} />
          <ScopeChoices chosen={scopes} change={setScopes} />
        </div>
        <p class="field-fault" role="alert">
          {trouble?.message}
        </p>
        <div class="form-tools">
          <button type="submit" class="button primary">
            Save
          </button>
          <button type="button" class="button" onClick={cancel}>
            Cancel
          </button>
        </div>
      </form>
    </section>
  );
}

interface Chosen {
  readonly roles: readonly string[];
  readonly scopes: readonly Scope[];
}

/** What is new is granted, what is gone is taken away, all else stays as it is now. `undefined`: nothing was changed. */
async function saveGrants(person: Person, chosen: Chosen): Promise<Answer<GrantedPerson> | undefined> {
  const path = `/api/users/${encodeURIComponent(person.email)}`;
  const given = changeOf(chosen, person);
  const taken = changeOf(person, chosen);
  const isTaking = taken.roles.length + taken.scopes.length > 0;
  const isGiving = given.roles.length + given.scopes.length > 0;
  if (isTaking) {
    const answer = await ask<GrantedPerson>(`${path}/ungrant`, { method: 'POST', body: taken });
    if (!answer.ok || !isGiving) return answer;
  }
  return isGiving ? ask<GrantedPerson>(`${path}/grant`, { method: 'POST', body: given }) : undefined;
}

const changeOf = (after: Chosen, before: Chosen): Chosen => ({
  roles: after.roles.filter((role) => !before.roles.includes(role)),
  scopes: after.scopes.filter((scope) => !before.scopes.includes(scope)),
});
