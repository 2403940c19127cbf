// Durable runs under 200 kills (J5): none is lost, none that may not run again does, and what was cut off is taken up in ten seconds.
import { join } from 'node:path';
import { startPostgres } from '../../support/postgres.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import { type Endured, endureKills, type KilledRuns } from '../killed-runs.ts';
import { expectWithin, type FaultContext, type FaultPart } from './fault-part.ts';

const KILLS = 200;
const RUNS = 2_000;
const TAKE_UP_LIMIT_MS = 10_000;

export const runFaults: FaultPart = async (context) => {
  await context.check(`runs: ${KILLS} kills, ${RUNS} runs on two processes of SQLite`, () => onSqlite(context));
  await context.check(`runs: ${KILLS} kills, ${RUNS} runs on three of PostgreSQL`, () => onPostgres(context));
};

async function onSqlite(context: FaultContext): Promise<string> {
  const folder = context.folder('runs-sqlite');
  return told(
    await endure(context, { folder, servers: 2, place: { kind: 'sqlite', dataDirectory: join(folder, 'data') } }),
  );
}

async function onPostgres(context: FaultContext): Promise<string> {
  const postgres = await startPostgres();
  try {
    const folder = context.folder('runs-postgres');
    return told(await endure(context, { folder, servers: 3, place: await createDatabase(postgres) }));
  } finally {
    await postgres.stop();
  }
}

type Given = Pick<KilledRuns, 'place' | 'folder' | 'servers'>;

const endure = (context: FaultContext, given: Given) =>
  endureKills({ ...given, runs: RUNS, kills: KILLS, random: context.random(), onProgress: context.progress });

function told({ completed, interrupted, repeated, cutOff, slowestMs }: Endured): string {
  expectWithin(TAKE_UP_LIMIT_MS, 'taken up', slowestMs);
  const ends = `${completed} completed, ${interrupted} interrupted, ${repeated} ran again`;
  return `${ends}; ${cutOff} were cut off and taken up within ${Math.round(slowestMs)} ms`;
}
