// What an agent or a person has: roles and scopes.
import { SCOPE_WORDS } from '../model/scope-words.ts';
import type { Agent } from '../model/shapes.ts';

export const RightsPills = ({ roles, scopes }: Pick<Agent, 'roles' | 'scopes'>) => (
  <span class="pills">
    {roles.map((role) => (
      <span key={role} class="pill">
        {role}
      </span>
    ))}
    {scopes.map((scope) => (
      <span key={scope} class="pill plain" title={SCOPE_WORDS[scope].title}>
        {scope}
      </span>
    ))}
  </span>
);
