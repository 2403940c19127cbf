// The navigation: groups at the left; at the bottom of small screens the first group, and a menu for the rest.

import { countText } from '../text/format.ts';
import { Icon, type IconName } from './icons.tsx';
import { isCurrent, type NavGroup, type NavLink } from './navigation.ts';

interface Count {
  readonly count: number;
  /** Behind the number, for those who hear the page. */
  readonly says: string;
}

export type Counts = Readonly<Partial<Record<IconName, Count>>>;

interface NavProps {
  readonly groups: readonly NavGroup[];
  readonly section: string;
  readonly counts: Counts;
  readonly openMenu: () => void;
}

/** So many have room at the bottom of a small screen. */
const MOST_AT_BOTTOM = 5;

export function Nav({ groups, section, counts, openMenu }: NavProps) {
  const [, ...others] = groups;
  const hidden = others.flatMap(({ links }) => links);
  const isShort = groups.reduce((sum, { links }) => sum + links.length, 0) <= MOST_AT_BOTTOM;
  return (
    <nav class={isShort ? 'nav short' : 'nav'} aria-label="Pages">
      {groups.map(({ title, links }) => (
        <div key={title} class="nav-group">
          {title !== undefined && <span class="nav-title">{title}</span>}
          {links.map((link) => (
            <Entry key={link.section} link={link} section={section} count={counts[link.icon]} />
          ))}
        </div>
      ))}
      {!isShort && (
        <button
          type="button"
          class={hidden.some(({ section: own }) => isCurrent(own, section)) ? 'nav-more current' : 'nav-more'}
          aria-haspopup="dialog"
          onClick={openMenu}
        >
          <Icon name="more" />
          More
          <Badge count={hidden.reduce((sum, { icon }) => sum + (counts[icon]?.count ?? 0), 0)} says=" to look at" />
        </button>
      )}
    </nav>
  );
}

interface EntryProps {
  readonly link: NavLink;
  readonly section: string;
  readonly count: Count | undefined;
}

const Entry = ({ link: { icon, section: own, label }, section, count }: EntryProps) => (
  <a href={`/${own}`} aria-current={isCurrent(own, section) ? 'page' : undefined}>
    <Icon name={icon} />
    {label}
    <Badge {...count} />
  </a>
);

const Badge = ({ count = 0, says = '' }: Partial<Count>) =>
  count > 0 ? (
    <span class="count">
      {countText(count)}
      <span class="unseen">{says}</span>
    </span>
  ) : null;
