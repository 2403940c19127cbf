// The store for a command that needs it once: opened, closed, and its failure said in one sentence.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_LIMITS, OTHER_KEY, type Store, startStore } from '../../app/store.ts';
import type { Environment, Settings } from '../../settings/config.ts';
import { BadCursor, StoreUnavailable } from '../../skills/record/invocation-log.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { findStoreFault } from './serve-fault.ts';
import { toDisplayPath } from './terminal/display-path.ts';
import { exitSaying, saySentence } from './terminal/output.ts';

export type { Store } from '../../app/store.ts';

type Needed = Pick<CommandContext, 'settings' | 'errors' | 'values'>;

export async function withStore(
  { settings, errors, values }: Needed,
  ask: (store: Store) => Promise<ExitCode>,
): Promise<ExitCode> {
  const fault = findStoreFault({ settings, values });
  if (fault !== undefined) return exitSaying({ errors }, fault.sentence, fault.code);
  const onOtherKey = () => saySentence(errors, `Warning: ${OTHER_KEY}`);
  const store = await startStore(settings, { ...COMMAND_LIMITS, onOtherKey });
  try {
    return await ask(store);
  } catch (error) {
    const code = error instanceof StoreUnavailable ? 1 : error instanceof BadCursor ? 2 : undefined;
    if (code === undefined) throw error;
    return exitSaying({ errors }, (error as Error).message, code);
  } finally {
    await store.close();
  }
}

/** For people. An address may hold a password: it is not shown. */
export const storeName = ({ storePlace }: Pick<Settings, 'storePlace'>, environment: Environment): string =>
  storePlace.kind === 'postgres' ? 'PostgreSQL' : `SQLite in ${toDisplayPath(storePlace.dataDirectory, environment)}`;

/** As store/data-directory.ts makes it. */
const DATABASE = 'repertoire.db';

/** Without a database nothing was recorded; looking for one must not create it. */
export const isStoreThere = ({ storePlace }: Pick<Settings, 'storePlace'>): boolean =>
  storePlace.kind !== 'sqlite' || existsSync(join(storePlace.dataDirectory, DATABASE));

type Given = Pick<CommandContext, 'settings' | 'values'>;

/**
 * Why there is nothing to read where `--data` says; `undefined` where there may be. The default folder comes with the first
 * record.
 */
export function findDataFault(
  { settings: { storePlace }, values }: Given,
  what: 'log' | 'agents' | 'people' | 'trail' = 'log',
): string | undefined {
  const [given] = values.get('data') ?? [];
  if (given === undefined || storePlace.kind !== 'sqlite') return undefined;
  const { dataDirectory } = storePlace;
  const shown = `"${toOneLine(given)}"`;
  if (!existsSync(dataDirectory))
    return `Cannot read the ${what}: the folder ${shown} does not exist; check the value of --data`;
  if (!statSync(dataDirectory).isDirectory())
    return `Cannot read the ${what}: ${shown} is not a folder; name one with --data`;
  return undefined;
}

/** A folder that was named, and in which nothing was recorded; `undefined` when there is another reason to see nothing. */
export function explainEmptyFolder({ settings, values }: Given): string | undefined {
  const [given] = values.get('data') ?? [];
  if (given === undefined || isStoreThere(settings)) return undefined;
  return `the folder "${toOneLine(given)}" has no log; give the --data folder that mcp, serve or invoke uses`;
}
