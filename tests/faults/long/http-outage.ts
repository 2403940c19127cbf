// PostgreSQL stopped, or hanging, under a server of the built program (F1, H6): rounds of a random length.

import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import { endureOutage, type Outage, type OutageFigures } from '../http-outage.ts';
import { backendsOf, signalAll } from '../postgres-backends.ts';
import { untilSwept } from '../replica-load.ts';
import { createServeWorld, type ServeWorld } from '../serve-world.ts';
import { expectWithin, type FaultContext, type FaultPart } from './fault-part.ts';

const ROUNDS = 3;
/** A new replica looks for what others left a second after its start. */
const SWEEP_LIMIT_MS = 10_000;
const DOCUMENT_LIMIT_MS = 1_000;
/** Two seconds are promised (H6); the rest is this machine's. */
const REFUSAL_LIMIT_MS = 2_500;
/** /ready looks once a second, for two seconds at most. */
const NOTICE_LIMIT_MS = 3_500;
const RECOVERY_LIMIT_MS = 5_000;

type NewOutage = (postgres: TestPostgres, ms: number) => Outage;

export const httpOutageFaults: FaultPart = async (context) => {
  const postgres = await startPostgres({ fsync: true });
  const world = createServeWorld(context.folder('http-outage'));
  try {
    await context.check(`serve: PostgreSQL stopped and back, ${ROUNDS} rounds`, () =>
      endure(world, postgres, stopping, context),
    );
    await context.check(`serve: PostgreSQL hanging and awake, ${ROUNDS} rounds`, () =>
      endure(world, postgres, hanging, context),
    );
  } finally {
    await postgres.stop();
  }
};

const stopping: NewOutage = ({ halt, start }, ms) => ({ ms, begin: halt, end: start });

const hanging: NewOutage = (postgres, ms) => {
  let halted: readonly number[] = [];
  return {
    ms,
    async begin(url) {
      halted = [postgres.pid(), ...(await backendsOf(url))];
      signalAll(halted, 'SIGSTOP');
    },
    end: async () => signalAll(halted, 'SIGCONT'),
  };
};

async function endure(
  world: ServeWorld,
  postgres: TestPostgres,
  newOutage: NewOutage,
  { random, progress }: FaultContext,
): Promise<string> {
  const draw = random();
  const place = await createDatabase(postgres);
  const server = await world.start(place, ['--log', 'required']);
  const rounds: OutageFigures[] = [];
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      progress(`serve without PostgreSQL, round ${round} of ${ROUNDS}`);
      const figures = await endureOutage(server, place, newOutage(postgres, 4_000 + draw() * 3_000));
      judgeTimes(figures);
      rounds.push(figures);
    }
  } finally {
    // Not stopped: after a goodbye, what it left running is closed only a minute later.
    await server.kill();
  }
  const next = await world.start(place);
  expectWithin(SWEEP_LIMIT_MS, 'rows of a killed server closed', await untilSwept(place).finally(next.stop));
  return describe(rounds);
}

function judgeTimes({ slowestDocumentMs, slowestRefusalMs, noticeMs, recoveryMs }: OutageFigures): void {
  expectWithin(DOCUMENT_LIMIT_MS, 'a document', slowestDocumentMs);
  expectWithin(REFUSAL_LIMIT_MS, 'a refusal', slowestRefusalMs);
  expectWithin(NOTICE_LIMIT_MS, '/ready said so', noticeMs);
  expectWithin(RECOVERY_LIMIT_MS, 'back', recoveryMs);
}

function describe(rounds: readonly OutageFigures[]): string {
  const sum = (of: (figures: OutageFigures) => number) => rounds.reduce((total, figures) => total + of(figures), 0);
  const most = (of: (figures: OutageFigures) => number) => Math.round(Math.max(...rounds.map(of)));
  return [
    `${sum(({ documents }) => documents)} documents, the slowest ${most(({ slowestDocumentMs }) => slowestDocumentMs)} ms`,
    `${sum(({ refused }) => refused)} refused, the slowest ${most(({ slowestRefusalMs }) => slowestRefusalMs)} ms`,
    `/ready said so after at most ${most(({ noticeMs }) => noticeMs)} ms`,
    `back at most ${most(({ recoveryMs }) => recoveryMs)} ms after the end`,
    `${rounds.map(({ connections }) => connections).join(', ')} connections, as before`,
    `${most(({ halfThere }) => halfThere)} refused ones said to run until the server ended`,
  ].join('; ');
}
