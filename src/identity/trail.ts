// The trail: who changed what, kept for good and chained, so that a change of it is found (L5). Implemented in store/.
import type { Caller } from './caller.ts';

/** What is entered; its place, time and hash come with the entry. */
export interface TrailNote {
  /** `local` for the operator, `agent:NAME`, `user:EMAIL`. */
  readonly actor: string;
  readonly action: TrailAction;
  /** What it is about: an agent's name, a person's email, a skill, the id of a run. */
  readonly subject: string;
  /** Of a version of a skill; of a token nothing is entered. */
  readonly digest?: string;
  /** What else belongs to it: roles and scopes of a grant, the message of a decision. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export const TRAIL_ACTIONS = [
  'agent.add',
  'agent.revoke',
  'client.consent',
  'client.revoke',
  'token.rotate',
  'user.add',
  'user.grant',
  'user.ungrant',
  'run.approve',
  'run.reject',
  'skill.version',
  'skill.approve',
  'skill.reject',
  'skill.rollback',
  'skill.withdraw',
  'skill.delete',
  'skill.discard',
  'review.policy',
] as const;

export type TrailAction = (typeof TRAIL_ACTIONS)[number];

/** As an entry calls the caller who did it. */
export const actorOf = ({ kind, name, person, via }: Caller): string =>
  `${kind === 'operator' ? name : `${kind}:${person?.email ?? name}`}${via === undefined ? '' : ` via ${via.client}`}`;

/** The place of the newest entry, and its hash. Kept elsewhere, it shows when the end was cut off. */
export interface TrailHead {
  /** 0: nothing was entered yet. */
  readonly seq: number;
  /** 64 hexadecimal digits; zeros where nothing was entered yet. */
  readonly hash: string;
}

export const EMPTY_HEAD: TrailHead = { seq: 0, hash: '0'.repeat(64) };

/** `SEQ:HASH`, as it is printed and kept elsewhere. */
export const headText = ({ seq, hash }: TrailHead): string => `${seq}:${hash}`;

/** `undefined`: that is no head. */
export function parseHead(text: string): TrailHead | undefined {
  const [, seq, hash = ''] = /^(0|[1-9]\d{0,14}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (seq === undefined || (seq === '0' && hash !== EMPTY_HEAD.hash)) return undefined;
  return { seq: Number(seq), hash: hash.toLowerCase() };
}

export interface TrailEntry extends TrailHead {
  readonly actor: string;
  readonly time: Date;
  /** Of this version, or of another one that wrote into the same store. */
  readonly action: string;
  readonly subject: string;
  readonly digest: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
}

export interface TrailPage {
  readonly head: TrailHead;
  /** Newest first. */
  readonly entries: readonly TrailEntry[];
  readonly nextCursor: string | undefined;
}

export interface TrailQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** What is wrong with an entry. `head`: with the record of the newest one. `key`: it cannot be told, for want of its key. */
export type TrailFaultKind = 'changed' | 'removed' | 'inserted' | 'reordered' | 'truncated' | 'head' | 'key';

export interface TrailFault {
  /** The first entry that is not as it was written, or not there. */
  readonly seq: number;
  readonly kind: TrailFaultKind;
  /** A sentence. */
  readonly message: string;
}

export interface TrailReport {
  /** So many were looked at. */
  readonly entries: number;
  /** Where they end. */
  readonly head: TrailHead;
  /** Absent: every entry is as it was written, and where it was written. */
  readonly fault: TrailFault | undefined;
}

export interface TrailCheck {
  /** One that was kept elsewhere: it must be part of the trail. */
  readonly head?: TrailHead | undefined;
  /** Called now and then with how many of how many were looked at. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** Its promises reject when the store cannot be reached. */
export interface Trail {
  list(query: TrailQuery): Promise<TrailPage>;
  /** Enters what happens outside the store. What happens in it is entered in its own transaction. */
  note(note: TrailNote): Promise<void>;
  /** Looks at every entry, in little memory. */
  verify(check?: TrailCheck): Promise<TrailReport>;
}
