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

export function destinationsFor(
  typed: string,
  pages: readonly NavLink[],
  found: SearchResults | undefined,
): readonly Destination[] {
  const wanted = typed.trim().toLowerCase();
  const fitting = pages.filter(({ label }) => label.toLowerCase().includes(wanted));
  return [
    ...fitting.map(({ icon, label, section }) => ({ icon, label, hint: 'page', href: `/${section}` })),
    ...(found?.results ?? []).map(({ kind, name, uri }) => ({
      icon: 'skills' as const,
      label: name,
      hint: kind === 'typed' ? 'typed skill' : 'document',
      href: kind === 'typed' ? pathTo('typed', name) : pathTo('documents', uri ?? name),
    })),
  ];
}
