// What people call the one who is signed in.
import type { Me } from './shapes.ts';

type Named = Pick<Me, 'kind' | 'name' | 'email' | 'display_name'>;

/** In a sentence: "the operator", "the agent night-shift", "Ada". */
export function whoText({ kind, name, email, display_name }: Named): string {
  if (kind === 'operator') return 'the operator';
  return kind === 'agent' ? `the agent ${name}` : (display_name ?? email ?? `the user ${name}`);
}

/** What stands below the name, where there is something. */
export const whoBelow = ({ kind, email, display_name }: Named): string | undefined =>
  kind === 'user' && display_name !== null && email !== null ? email : undefined;
