// Where the reader can go: in groups, so that what is used every day stands apart from what is set up once. Pure.

import { maySeeLibrary } from '../model/library.ts';
import type { Me } from '../model/shapes.ts';
import type { IconName } from './icons.tsx';

export interface NavLink {
  readonly icon: IconName;
  readonly section: string;
  readonly label: string;
}

export interface NavGroup {
  /** The first group needs none. */
  readonly title: string | undefined;
  readonly links: readonly NavLink[];
}

const link = (icon: IconName, label: string, section: string = icon): NavLink => ({ icon, section, label });

/** Only what is open to the one who is signed in; no group is empty. */
export const navigationFor = (me: Me): readonly NavGroup[] =>
  [
    {
      title: undefined,
      links: [
        ...(me.may_read_log ? [link('overview', 'Overview', '')] : []),
        link('skills', 'Skills'),
        ...(me.may_read_log ? [link('activity', 'Activity')] : []),
        link('runs', 'Runs'),
      ],
    },
    {
      title: 'Maintain',
      links: [
        ...(maySeeLibrary(me) ? [link('library', 'Library')] : []),
        link('problems', 'Problems'),
        ...(me.may_read_log ? [link('upkeep', 'Upkeep')] : []),
      ],
    },
    {
      title: 'Access',
      links: [
        ...(me.is_operator ? [link('connect', 'Connect'), link('agents', 'Agents'), link('people', 'People')] : []),
        ...(me.may_read_trail ? [link('trail', 'Trail')] : []),
      ],
    },
  ].filter(({ links }) => links.length > 0);

/** Pages that stand below another one of the navigation. */
const BELOW: readonly { readonly link: NavLink; readonly isOpen: (me: Me) => boolean }[] = [
  { link: link('runs', 'Schedules', 'schedules'), isOpen: (me) => me.may_read_log },
  { link: link('skills', 'Sources', 'sources'), isOpen: (me) => me.is_operator },
];

/** Every page that can be gone to by its name. */
export const pagesFor = (me: Me): readonly NavLink[] => [
  ...navigationFor(me).flatMap(({ links }) => links),
  ...BELOW.filter(({ isOpen }) => isOpen(me)).map(({ link: page }) => page),
];

const PARENT: Readonly<Record<string, string>> = {
  documents: 'skills',
  typed: 'skills',
  sources: 'skills',
  invocations: 'activity',
  traces: 'activity',
  schedules: 'runs',
};

/** Whether the page of `section` is the one of this link, or below it. */
export const isCurrent = (own: string, section: string): boolean => own === (PARENT[section] ?? section);
