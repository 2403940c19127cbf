// An entry of the trail as a sentence: who did what to whom. Pure.
import type { TrailAction } from '../../../src/identity/trail.ts';
import type { TrailEntry } from './shapes.ts';

export interface TrailWords {
  readonly who: string;
  /** "added agent" */
  readonly did: string;
  /** Absent where the words say it already. */
  readonly subject: string | undefined;
  /** "with the roles A and B, until 1 Mar 2027"; may be empty. */
  readonly how: string;
}

interface Saying {
  readonly did: string;
  readonly hidesSubject?: boolean;
  readonly how?: (details: Details) => string;
}

type Details = Readonly<Record<string, unknown>>;

/** By the action. */
const SAYINGS = {
  'agent.add': { did: 'added agent', how: rightsText },
  'agent.revoke': { did: 'revoked agent' },
  'client.consent': { did: 'allowed the client', how: rightsText },
  'client.revoke': { did: 'revoked the client' },
  'token.rotate': { did: 'rotated the operator token', hidesSubject: true },
  'user.add': { did: 'added the person' },
  'user.grant': { did: 'gave rights to', how: rightsText },
  'user.ungrant': { did: 'took rights from', how: takenText },
  'run.approve': { did: 'approved run', how: decisionText },
  'run.reject': { did: 'rejected run', how: decisionText },
  'skill.version': { did: 'made a version of', how: messageText },
  'skill.approve': { did: 'approved a version of', how: messageText },
  'skill.reject': { did: 'rejected a version of', how: messageText },
  'skill.rollback': { did: 'went back to a version of', how: messageText },
  'skill.withdraw': { did: 'withdrew' },
  'skill.delete': { did: 'deleted' },
  'skill.discard': { did: 'deleted a version of' },
  'review.policy': { did: 'turned review', hidesSubject: true, how: ({ review }) => String(review ?? '') },
} as const satisfies Record<TrailAction, Saying>;

/** One that a later version entered is told by its name. */
const findSaying = (action: string): Saying | undefined => new Map<string, Saying>(Object.entries(SAYINGS)).get(action);

export function trailWords({ actor, action, subject, details }: TrailEntry): TrailWords {
  const saying = findSaying(action);
  return {
    who: whoText(actor),
    did: saying?.did ?? action,
    subject: saying?.hidesSubject === true ? undefined : subject,
    how: saying?.how?.(details ?? {}) ?? '',
  };
}

function whoText(actor: string): string {
  if (actor === 'local') return 'The operator';
  const [, kind, name = ''] = /^(agent|user):(.+)$/s.exec(actor) ?? [];
  return kind === undefined ? actor : kind === 'agent' ? `Agent ${name}` : name;
}

/** "of charge_card: within budget" */
function decisionText({ skill, message }: Details): string {
  const of = typeof skill === 'string' ? `of ${skill}` : '';
  return typeof message === 'string' && message !== '' ? `${of}: ${message}` : of;
}

/** What was said with it. */
function messageText({ message }: Details): string {
  return typeof message === 'string' && message !== '' ? `“${message}”` : '';
}

function rightsText(details: Details): string {
  const rights = [listText(details.roles, 'role'), listText(details.scopes, 'scope')].filter((text) => text !== '');
  const end = dateOf(details.expires_at);
  return [rights.length === 0 ? '' : `with ${rights.join(' and ')}`, end && `until ${end}`]
    .filter((text) => text !== '')
    .join(', ');
}

/** "(the role A and the scope b)" */
function takenText({ roles, scopes }: Details): string {
  const rights = [listText(roles, 'role'), listText(scopes, 'scope')].filter((text) => text !== '');
  return rights.length === 0 ? '' : `(${rights.join(' and ')})`;
}

function listText(value: unknown, one: string): string {
  const names = Array.isArray(value) ? value.map(String) : [];
  if (names.length === 0) return '';
  const last = names.at(-1);
  return names.length === 1 ? `the ${one} ${last}` : `the ${one}s ${names.slice(0, -1).join(', ')} and ${last}`;
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

const dateOf = (value: unknown): string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? day.format(new Date(value)) : '';

const thisYear = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const otherYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** "Today", "Yesterday", "Monday 16 November", "16 November 2025": by the reader's own days. */
export function dayHeading(moment: Date, now = new Date()): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (moment.toDateString() === now.toDateString()) return 'Today';
  if (moment.toDateString() === yesterday.toDateString()) return 'Yesterday';
  return (moment.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(moment);
}

export interface TrailDay {
  readonly heading: string;
  readonly entries: readonly TrailEntry[];
}

/** In their order: entries of a clock that was set back make a day of their own. */
export function trailDays(entries: readonly TrailEntry[], now = new Date()): readonly TrailDay[] {
  const days: { readonly heading: string; readonly entries: TrailEntry[] }[] = [];
  for (const entry of entries) {
    const heading = dayHeading(new Date(entry.time), now);
    const last = days.at(-1);
    if (last?.heading === heading) last.entries.push(entry);
    else days.push({ heading, entries: [entry] });
  }
  return days;
}
