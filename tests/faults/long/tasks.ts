// Task writes over HTTP while the server is killed (F3), on SQLite and on PostgreSQL: what was acknowledged is there after a restart.

import { join } from 'node:path';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { startPostgres } from '../../support/postgres.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import type { ServeProcess } from '../../support/serve-process.ts';
import { createServeWorld, invoke, outputOf, type ServeWorld } from '../serve-world.ts';
import { type FaultContext, type FaultPart, pause } from './fault-part.ts';

const ROUNDS = 20;
const WRITERS = 100;
const PAGE = 1_000;
/** In every second round: an answer that waits for the log may hide that it did not wait for the task. */
const WITHOUT_LOG = ['--no-log'];

export const taskFaults: FaultPart = async (context) => {
  const folder = context.folder('tasks');
  const world = createServeWorld(folder);
  const postgres = await startPostgres({ fsync: true });
  try {
    const places: readonly StorePlace[] = [
      { kind: 'sqlite', dataDirectory: join(folder, 'data') },
      await createDatabase(postgres),
    ];
    for (const place of places) {
      await context.check(
        `${place.kind}: ${WRITERS} task writes at once, kill -9 of the server, ${ROUNDS} rounds`,
        () => killOften(world, place, context),
      );
    }
  } finally {
    await postgres.stop();
  }
};

/** Task id → title. */
type Titles = Map<string, string>;

async function killOften(world: ServeWorld, place: StorePlace, { random, progress }: FaultContext): Promise<string> {
  const draw = random();
  const acknowledged: Titles = new Map();
  let server = await world.start(place);
  let unanswered = 0;
  try {
    const userId = await createUser(server);
    for (let round = 1; round <= ROUNDS; round += 1) {
      progress(`${place.kind}, tasks, round ${round} of ${ROUNDS}`);
      const writing = writeTasks(server, { userId, round, acknowledged });
      await writing.first;
      await pause(draw() * 300);
      await server.kill();
      unanswered += await writing.unanswered;
      server = await world.start(place, round % 2 === 0 ? [] : WITHOUT_LOG);
      await expectThere(server, userId, acknowledged);
    }
    const there = (await readTitles(server, userId)).size;
    return `${acknowledged.size} acknowledged, all there; ${unanswered} cut off, ${there - acknowledged.size} of them there and whole`;
  } finally {
    await server.kill();
  }
}

async function createUser(server: ServeProcess): Promise<string> {
  const input = { email: 'writer@example.org', password: 'a long enough password' };
  return String((await outputOf(invoke(server, 'user_creation', input))).user_id);
}

interface Writing {
  readonly userId: string;
  readonly round: number;
  readonly acknowledged: Titles;
}

/** All write without a pause until the server is gone. */
function writeTasks(server: ServeProcess, { userId, round, acknowledged }: Writing) {
  let onFirst = () => {};
  const first = new Promise<void>((resolve) => {
    onFirst = resolve;
  });
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let number = 1; ; number += 1) {
      const title = `Task ${round}-${writer}-${number}`;
      const id = await writeTask(server, userId, title);
      if (id === undefined) return;
      acknowledged.set(id, title);
      onFirst();
    }
  });
  const all = Promise.all(writers);
  // A refusal rejects the first wait, too.
  return { first: Promise.race([first, all]), unanswered: all.then(() => WRITERS) };
}

/** Undefined: cut off. */
async function writeTask(server: ServeProcess, userId: string, title: string): Promise<string | undefined> {
  try {
    const input = { title, user_id: userId, description: title.repeat(20), priority: 3 };
    return String((await outputOf(invoke(server, 'task_creation', input))).task_id);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** Those that were never acknowledged are complete or absent. */
async function expectThere(server: ServeProcess, userId: string, acknowledged: Titles): Promise<void> {
  const titles = await readTitles(server, userId);
  const lost = [...acknowledged].filter(([id, title]) => titles.get(id) !== title).length;
  if (lost > 0) throw new Error(`${lost} of ${acknowledged.size} acknowledged tasks are not there`);
}

async function readTitles(server: ServeProcess, userId: string): Promise<Titles> {
  const titles: Titles = new Map();
  for (let offset = 0; ; offset += PAGE) {
    const page = await outputOf(invoke(server, 'task_retrieval', { user_id: userId, limit: PAGE, offset }));
    for (const { task_id, title, description } of page.tasks as readonly Record<string, string>[]) {
      if (description !== title?.repeat(20)) throw new Error(`task ${title} is not whole`);
      titles.set(String(task_id), String(title));
    }
    if (page.has_more !== true) return titles;
  }
}
