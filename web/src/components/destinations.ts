// What the menu offers for what was typed: pages whose names have it, then the skills that a search found. Pure.
import { pathTo } from '../browser/router.ts';
import type { SearchResults } from '../model/shapes.ts';
import type { IconName } from './icons.tsx';
import type { NavLink } from './navigation.ts';

export interface Destination {
  readonly icon: IconName;
  readonly label: string;
  /** What it is. */
  readonly hint: string;
  readonly href: string;
}

const MOST_SKILLS = 8;

export function destinationsFor(
  typed: string,
  pages: readonly NavLink[],
  found: SearchResults | undefined,
): readonly Destination[] {
  const wanted = typed.trim().toLowerCase();
  const skills = found?.results ?? [];
  const begins = ({ name }: { readonly name: string }) => name.toLowerCase().startsWith(wanted);
  // Who types letters of a name wants that skill; the search ranks for requests.
  const first = [...skills.filter(begins), ...skills.filter((each) => !begins(each))].slice(0, MOST_SKILLS);
  const fitting = pages.filter(({ label }) => label.toLowerCase().includes(wanted));
  return [
    ...fitting.map(({ icon, label, section }) => ({ icon, label, hint: 'page', href: `/${section}` })),
    ...first.map(({ kind, name, uri }) => ({
      icon: 'skills' as const,
      label: name,
      hint: kind === 'typed' ? 'typed skill' : 'document',
      href: kind === 'typed' ? pathTo('typed', name) : pathTo('documents', uri ?? name),
    })),
  ];
}
