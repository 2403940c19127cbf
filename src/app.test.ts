// A server that cannot start leaves nothing open: what was opened before the fault is closed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AppOptions, startApp } from './app.ts';
import { startCatalog } from './open-catalog.ts';
import { NOTHING_GIVEN, resolveSettings } from './settings/config.ts';
import { openWebFolder } from './surfaces/answers/web-folder.ts';
import { createMethodTable } from './surfaces/mcp/table.ts';

const closed: string[] = [];

vi.mock(import('./app/store.ts'), async (load) => {
  const original = await load();
  return {
    ...original,
    startStore: async (...given: Parameters<typeof original.startStore>) => {
      const store = await original.startStore(...given);
      return { ...store, close: async () => store.close().finally(() => closed.push('store')) };
    },
  };
});
vi.mock(import('./open-catalog.ts'), async (load) => {
  const original = await load();
  const opened = async (...given: Parameters<typeof original.startCatalog>) => {
    const catalog = await original.startCatalog(...given);
    vi.spyOn(catalog, 'close').mockImplementationOnce(() => {
      catalog.close();
      closed.push('catalog');
    });
    return catalog;
  };
  return { ...original, startCatalog: vi.fn(opened) };
});
vi.mock(import('./surfaces/mcp/table.ts'), async (load) => {
  const original = await load();
  return { ...original, createMethodTable: vi.fn(original.createMethodTable) };
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-app-'));
  closed.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function start(variables: Record<string, string> = {}) {
  const given = { ...NOTHING_GIVEN, roots: [folder], data: join(folder, 'data') };
  const options: AppOptions = {
    version: '0.0.0',
    log: () => undefined,
    web: openWebFolder(folder),
    early: false,
    withTyped: true,
    hasBuiltin: false,
    hostsAreHere: false,
    own: {},
  };
  return startApp(resolveSettings(given, { home: folder, workingDirectory: folder, variables }), options);
}

test('a weak secret is a failure, and the store is closed', async () => {
  expect(await start({ REPERTOIRE_SECRET: 'short' })).toMatchObject({ ok: false });
  expect(closed).toEqual(['store']);
});

test('when the catalog cannot be opened, the store is closed', async () => {
  vi.mocked(startCatalog).mockRejectedValueOnce(new Error('no folders'));
  await expect(start()).rejects.toThrow('no folders');
  expect(closed).toEqual(['store']);
});

test('when the methods cannot be made, the catalog and the store are closed', async () => {
  vi.mocked(createMethodTable).mockImplementationOnce(() => {
    throw new Error('no methods');
  });
  await expect(start()).rejects.toThrow('no methods');
  expect(closed).toEqual(['catalog', 'store']);
});
