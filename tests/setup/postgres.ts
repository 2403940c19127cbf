// One PostgreSQL for the whole run; each test file makes databases of its own in it (support/postgres-database.ts).
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../support/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresUrl: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres();
  project.provide('postgresUrl', url);
  return stop;
}
