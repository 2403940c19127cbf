// The journal of loads as text: in the first line whose it is, then a load in each. Pure.
import type { Load } from '../repertoire/load-log.ts';
import { keptLoad } from './kept-load.ts';
import type { ProcessOwner } from './process-owner.ts';

export interface JournalHead extends Pick<ProcessOwner, 'pid' | 'machine' | 'started'> {
  /** Which log the loads belong to: servers with other databases may share a data directory. */
  readonly store: string;
}

export const headText = ({ pid, machine, started, store }: JournalHead): string =>
  `${JSON.stringify({ pid, machine, started, store })}\n`;

/** Control characters stand in it as JSON has them: each load is one line. */
export function lineOf(load: Load): string {
  const { skillName, digest, client, surface, loadedAt, path = null } = keptLoad(load);
  return `${JSON.stringify([skillName, digest, client, surface, loadedAt.getTime(), path])}\n`;
}

/** What cannot be read is left out: a process may have been killed within a line. */
export function parseJournal(text: string): {
  readonly head: JournalHead | undefined;
  readonly loads: readonly Load[];
} {
  const [first = '', ...lines] = text.split('\n');
  return { head: headOf(parseJson(first)), loads: lines.flatMap((line) => loadOf(parseJson(line))) };
}

function headOf(value: unknown): JournalHead | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, machine, started, store } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(pid) || typeof store !== 'string') return undefined;
  return { pid: Number(pid), machine: textOf(machine), started: textOf(started), store };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function loadOf(value: unknown): readonly Load[] {
  if (!Array.isArray(value) || value.length !== 6) return [];
  const [skillName, digest, client, surface, at, path] = value as unknown[];
  const loadedAt = new Date(typeof at === 'number' ? at : Number.NaN);
  if (Number.isNaN(loadedAt.getTime()) || (path !== null && typeof path !== 'string')) return [];
  const texts = [skillName, digest, client, surface];
  if (!texts.every((text) => typeof text === 'string')) return [];
  const load = { skillName, digest, client, surface, loadedAt } as Load;
  return [keptLoad(path === null ? load : { ...load, path })];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A SyntaxError: that is the answer.
    return undefined;
  }
}
