// Edits thousands of skills at once while a stdio server runs, and checks that it still answers pings and SIGTERM (F11, D6).
import { writeFileSync } from 'node:fs';
import type { RawClient } from '../support/raw-client.ts';
import type { World } from '../support/world.ts';
import { writeSkill } from '../support/write-skill.ts';
import { untilHolds } from './serve-world.ts';

/** How many problems one answer lists. */
const MOST_PROBLEMS = 1_000;

export interface BulkFigures {
  readonly pings: number;
  /** Of pings and lists. */
  readonly slowestAnswerMs: number;
  readonly exitCode: number | null;
  readonly stopMs: number;
}

/** Empties `count` skills at once, pings until that is noticed, then writes them again and ends the server meanwhile. */
export async function editInBulk(world: World, count: number): Promise<BulkFigures> {
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  for (const name of names) writeSkill(world.skills, name);
  const client = await world.serve();
  writeSkill(world.skills, 's0', { body: 'Seen.\n' });
  await untilHolds('the skills are watched', async () =>
    JSON.stringify(await call(client, 'skill', { name: 's0' })).includes('Seen.'),
  );
  for (const name of names) writeFileSync(`${world.skills}/${name}/SKILL.md`, '');
  const pinged = await pingUntil(client, async () => (await countProblems(client)) >= Math.min(count, MOST_PROBLEMS));
  for (const name of names) writeSkill(world.skills, name);
  const told = performance.now();
  client.kill('SIGTERM');
  const { code } = await client.exited;
  return { ...pinged, exitCode: code, stopMs: performance.now() - told };
}

async function pingUntil(client: RawClient, isOver: () => Promise<boolean>) {
  let [pings, slowestAnswerMs] = [0, 0];
  const timed = async <T>(ask: () => Promise<T>): Promise<T> => {
    const asked = performance.now();
    const answer = await ask();
    slowestAnswerMs = Math.max(slowestAnswerMs, performance.now() - asked);
    return answer;
  };
  await untilHolds('the edits are noticed', async () => {
    await timed(() => client.request('ping', {}));
    pings += 1;
    // Seldom: it is no small answer.
    return pings % 10 === 0 && timed(isOver);
  });
  return { pings, slowestAnswerMs };
}

async function countProblems(client: RawClient): Promise<number> {
  const { structuredContent } = await call(client, 'list_skills', { limit: 1 });
  return structuredContent.problems.length;
}

interface ToolResult {
  readonly structuredContent: { readonly problems: readonly unknown[] };
}

async function call(client: RawClient, name: string, input: object): Promise<ToolResult> {
  const { result } = await client.request('tools/call', { name, arguments: input });
  return result as unknown as ToolResult; // of `list_skills`; that of `skill` is only looked at as text
}
