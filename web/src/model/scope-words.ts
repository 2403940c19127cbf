// What each scope lets a caller do, in words.
import type { Scope } from './shapes.ts';

export const SCOPE_WORDS: Readonly<Record<Scope, { readonly title: string; readonly text: string }>> = {
  'log:read': { title: 'Read the log', text: 'What every caller ran and read, with figures, live' },
  'skills:propose': { title: 'Propose skills', text: 'Make versions of skills, which wait for approval' },
  'skills:approve': { title: 'Approve skills', text: 'Decide which version of a skill is served; see the trail' },
  'runs:approve': { title: 'Approve runs', text: 'Decide on runs that wait for a person' },
};

/** In the order in which they are shown. */
export const SCOPES = Object.keys(SCOPE_WORDS) as readonly Scope[]; // true: the table's own keys
