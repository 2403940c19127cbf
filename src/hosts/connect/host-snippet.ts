// The entry for a server as it would stand in a new file of a host: for people who put it there by hand. Pure.
import { createFields } from './fields.ts';
import { type ConnectTarget, createEntry, findEntryKeys } from './host-entry.ts';
import type { ConnectableHost } from './host-files.ts';
import { configFormats } from './open-config.ts';

export function renderSnippet(host: ConnectableHost, server: ConnectTarget): string {
  const keys = findEntryKeys(host, 'user', createFields([]));
  if (!keys.ok) throw new Error(`An empty file cannot be wrong: ${keys.failure}`);
  const entry = createEntry(host, server, { scope: 'user', keys: keys.value }, undefined);
  return configFormats[host.config.format ?? 'json'].render(keys.value, entry);
}

/** For hosts that the table does not have: the form that most of them take. */
export const ANOTHER_HOST: ConnectableHost = {
  id: 'other',
  title: 'Any other MCP host',
  config: { files: [], next: 'restart the host; it lists "repertoire" among its MCP servers.' },
};
