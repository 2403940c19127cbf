// One change on disk, and when a client sees it: by `skill`, by `list_skills`, and by the bare watcher as the floor.
import { watch } from 'node:fs';
import { now, sleep } from './clock.ts';
import { isSuccess } from './recorded.ts';
import type { Answer, StdioClient } from './stdio-client.ts';

export type ChangeKind = 'add' | 'edit' | 'delete';

export interface Change {
  readonly kind: ChangeKind;
  /** The skill that is changed. */
  readonly name: string;
  /** The directory whose watcher hears of it. */
  readonly folder: string;
  readonly make: () => void;
}

export interface Sighting {
  readonly kind: ChangeKind;
  readonly skillMs: number;
  readonly listMs: number;
  /** Undefined where the system's watcher said nothing. */
  readonly eventMs: number | undefined;
  /** Wrong answers on the way: a skill that is there but cannot be read, a mixture, an error of the protocol. */
  readonly errors: number;
}

/** In the description and in the last line of a skill: a text with neither mark is a mixture. */
export const markOf = (state: 'old' | 'new'): string => `Marked ${state}.`;

export async function timeChange(client: StdioClient, change: Change, bystander: string): Promise<Sighting> {
  const watcher = watchOnce(change.folder);
  try {
    change.make();
    const since = now();
    const [skill, list] = await Promise.all([
      poll(since, async () => skillSight(change.kind, await client.callTool('skill', { name: change.name }))),
      poll(since, async () => listSight(change, await client.callTool('list_skills', {}))),
    ]);
    // Whoever asks for another skill meanwhile must not notice anything.
    const other = await client.callTool('skill', { name: bystander });
    const errors = skill.errors + list.errors + (isSuccess(other) ? 0 : 1);
    const heardAt = watcher.heardAt();
    const eventMs = heardAt === undefined ? undefined : heardAt - since;
    return { kind: change.kind, skillMs: skill.ms, listMs: list.ms, eventMs, errors };
  } finally {
    watcher.close();
  }
}

type Sight = 'seen' | 'not yet' | 'wrong';

/** What it means that the skill is not served. */
const whenAbsent = { add: 'not yet', edit: 'wrong', delete: 'seen' } as const satisfies Record<ChangeKind, Sight>;

const pollEveryMs = 5;
const patienceMs = 5_000;

async function poll(
  since: number,
  look: () => Promise<Sight>,
): Promise<{ readonly ms: number; readonly errors: number }> {
  let errors = 0;
  for (;;) {
    const sight = await look();
    const ms = now() - since;
    if (sight === 'seen') return { ms, errors };
    if (sight === 'wrong') errors += 1;
    if (ms > patienceMs) throw new Error(`a change was not served within ${patienceMs / 1000} s`);
    await sleep(pollEveryMs);
  }
}

function skillSight(kind: ChangeKind, answer: Answer): Sight {
  if (answer.error !== undefined) return 'wrong';
  if (!isSuccess(answer)) return whenAbsent[kind];
  const text = JSON.stringify(answer.result?.content);
  const has = (state: 'old' | 'new') => text.includes(`\\n${markOf(state)}\\n`);
  if (has('new')) return 'seen';
  return kind !== 'add' && has('old') ? 'not yet' : 'wrong';
}

interface ListedSkill {
  readonly name: string;
  readonly description: string;
}

function listSight({ kind, name }: Change, answer: Answer): Sight {
  if (!isSuccess(answer)) return 'wrong';
  const page = answer.result?.structuredContent as { readonly skills: readonly ListedSkill[] }; // T2
  const entry = page.skills.find((skill) => skill.name === name);
  if (entry === undefined) return whenAbsent[kind];
  if (kind === 'delete') return 'not yet';
  if (entry.description.endsWith(markOf('new'))) return 'seen';
  return kind === 'edit' ? 'not yet' : 'wrong';
}

/** The earliest moment at which anybody could know of it. */
function watchOnce(folder: string): { readonly heardAt: () => number | undefined; readonly close: () => void } {
  let heardAt: number | undefined;
  const watcher = watch(folder, () => {
    heardAt ??= now();
  });
  return { heardAt: () => heardAt, close: () => watcher.close() };
}
