// Where servers in this process keep what they share: as options of `startServer`.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerOptions } from '../../src/server.ts';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { makeTables } from './postgres-database.ts';

/** With its tables. `folder`: a data directory is made in it where the store needs none. */
export async function makeServerPlace(
  place: StorePlace,
  folder: string,
): Promise<Pick<ServerOptions, 'data' | 'databaseUrl'>> {
  await makeTables(place);
  if (place.kind === 'sqlite') return { data: place.dataDirectory };
  return { databaseUrl: place.url, data: mkdtempSync(join(folder, 'data-')) };
}
