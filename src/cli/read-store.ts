// The store for a command that asks it: opened, closed, and its failure said in one sentence.
import { existsSync } from 'node:fs';
import type { Settings } from '../config.ts';
import { StoreUnavailable } from '../execution/invocation-log.ts';
import { startStore, type TypedSkills } from '../start.ts';
import type { CommandContext, ExitCode } from './command.ts';

export type Store = NonNullable<TypedSkills['store']>;

type Needed = Pick<CommandContext, 'settings' | 'errors'>;

export async function withStore(
  { settings, errors }: Needed,
  ask: (store: Store) => Promise<ExitCode>,
): Promise<ExitCode> {
  const store = await startStore(settings);
  if (store === undefined) throw new Error('A command that reads the store was started without one');
  try {
    return await ask(store);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    errors.write(`${error.message}\n`);
    return 1;
  } finally {
    await store.close();
  }
}

/** Where no data directory is nothing was recorded, and to look there must not make one. */
export const isStoreThere = ({ logPlace }: Pick<Settings, 'logPlace'>): boolean =>
  logPlace?.kind !== 'sqlite' || existsSync(logPlace.dataDirectory);
