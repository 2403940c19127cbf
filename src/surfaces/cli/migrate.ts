// `repertoire migrate`: brings the store's tables up to date, or prints the SQL that would.

import { printLogMigrations } from '../../app/store.ts';
import { counted } from '../../text/counted.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { type Store, withStore } from './open-store.ts';
import { toJsonText } from './terminal/safe-text.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  return context.flags.has('print') ? print(context) : withStore(context, (store) => apply(store, context));
}

const LABELS = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const satisfies Record<Store['kind'], string>;

/** Connects to nothing. */
async function print({ settings, flags, output }: CommandContext): Promise<ExitCode> {
  const kind = settings.storePlace.kind;
  const sql = await printLogMigrations(kind);
  output.write(flags.has('json') ? toJsonText({ store: kind, sql }) : sql);
  return 0;
}

async function apply(store: Store, { flags, output, errors }: CommandContext): Promise<ExitCode> {
  const applied = await store.migrate();
  if (flags.has('json')) output.write(toJsonText({ store: store.kind, applied }));
  else {
    output.write(applied.map((name) => `${name}\n`).join(''));
    errors.write(`${LABELS[store.kind]}: ${summaryOf(applied.length)}\n`);
  }
  return 0;
}

const summaryOf = (count: number): string =>
  count === 0 ? 'everything is up to date' : `${counted(count, 'migration')} applied`;
