// SIGTERM to servers under load at random moments (F11), on SQLite and on PostgreSQL.

import { join } from 'node:path';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { startPostgres } from '../../support/postgres.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import { type StopFigures, stopUnderLoad } from '../http-stop.ts';
import { createServeWorld, type ServeWorld } from '../serve-world.ts';
import { expectWithin, type FaultContext, type FaultPart } from './fault-part.ts';

const ROUNDS = 3;
const STOP_LIMIT_MS = 10_000;

export const httpStopFaults: FaultPart = async (context) => {
  const folder = context.folder('http-stop');
  const world = createServeWorld(folder);
  const postgres = await startPostgres({ fsync: true });
  try {
    await context.check(`sqlite: SIGTERM under load, ${ROUNDS} rounds`, () =>
      stopOften(world, { kind: 'sqlite', dataDirectory: join(folder, 'data') }, context),
    );
    const place = await createDatabase(postgres);
    await context.check(`postgres: SIGTERM under load, ${ROUNDS} rounds`, () => stopOften(world, place, context));
  } finally {
    await postgres.stop();
  }
};

async function stopOften(world: ServeWorld, place: StorePlace, { random, progress }: FaultContext): Promise<string> {
  const draw = random();
  const rounds: StopFigures[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    progress(`${place.kind}, SIGTERM, round ${round} of ${ROUNDS}`);
    const server = await world.start(place);
    const figures = await stopUnderLoad(server, place, { calls: 1, afterMs: 300 + draw() * 1_000 });
    expectWithin(STOP_LIMIT_MS, 'stopped', figures.stopMs);
    rounds.push(figures);
  }
  const sum = (of: (figures: StopFigures) => number) => rounds.reduce((total, figures) => total + of(figures), 0);
  const slowestMs = Math.round(Math.max(...rounds.map(({ stopMs }) => stopMs)));
  return [
    `exit 0 after at most ${slowestMs} ms`,
    `${sum(({ acknowledged }) => acknowledged)} acknowledged and in the log`,
    `${sum(({ cancelled }) => cancelled)} cancelled or refused, nothing left running`,
  ].join('; ');
}
