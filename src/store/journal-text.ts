// The journal of loads as text: in the first line whose it is, then in each a load, or which of them are settled. Pure.
import type { Load } from '../repertoire/load-log.ts';
import { keptLoad } from './kept-load.ts';
import type { ProcessOwner } from './process-owner.ts';

export interface JournalHead extends Pick<ProcessOwner, 'pid' | 'machine' | 'started'> {
  /** Which log the loads belong to: servers with other databases may share a data directory. */
  readonly store: string;
}

export const headText = ({ pid, machine, started, store }: JournalHead): string =>
  `${JSON.stringify({ pid, machine, started, store })}\n`;

/** `number`: its own in this journal. Control characters stand in it as JSON has them: each load is one line. */
export function lineOf(number: number, load: Load): string {
  const { skillName, digest, client, surface, loadedAt, path = null } = keptLoad(load);
  return `${JSON.stringify([number, skillName, digest, client, surface, loadedAt.getTime(), path])}\n`;
}

/** These are in the log, or lost for good. */
export const settledLine = (numbers: readonly number[]): string => `${JSON.stringify({ settled: numbers })}\n`;

/**
 * The loads that are not settled. What cannot be read is left out: a process may have been killed within a line. Without a
 * head there are none: it is not known which log they belong to.
 */
export function parseJournal(text: string): {
  readonly head: JournalHead | undefined;
  readonly loads: readonly Load[];
} {
  const [first = '', ...lines] = text.split('\n');
  const head = headOf(parseJson(first));
  const loads = new Map<number, Load>();
  for (const value of head === undefined ? [] : lines.map(parseJson)) {
    for (const [number, load] of loadOf(value)) loads.set(number, load);
    for (const number of settledOf(value)) loads.delete(number);
  }
  return { head, loads: [...loads.values()] };
}

function headOf(value: unknown): JournalHead | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, machine, started, store } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(pid) || typeof store !== 'string') return undefined;
  return { pid: Number(pid), machine: textOf(machine), started: textOf(started), store };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function settledOf(value: unknown): readonly number[] {
  if (typeof value !== 'object' || value === null || !('settled' in value)) return [];
  return Array.isArray(value.settled) ? value.settled : [];
}

function loadOf(value: unknown): readonly (readonly [number, Load])[] {
  if (!Array.isArray(value) || value.length !== 7) return [];
  const [number, skillName, digest, client, surface, at, path] = value as unknown[];
  const loadedAt = new Date(typeof at === 'number' ? at : Number.NaN);
  if (typeof number !== 'number' || Number.isNaN(loadedAt.getTime())) return [];
  if (path !== null && typeof path !== 'string') return [];
  const texts = [skillName, digest, client, surface];
  if (!texts.every((text) => typeof text === 'string')) return [];
  const load = { skillName, digest, client, surface, loadedAt } as Load;
  return [[number, keptLoad(path === null ? load : { ...load, path })]];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A SyntaxError: that is the answer.
    return undefined;
  }
}
