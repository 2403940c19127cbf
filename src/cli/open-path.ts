// The catalog of one path that a person named: a SKILL.md, a skill's folder, or a folder of skills.
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Catalog } from '../catalog/live-catalog.ts';
import type { Settings } from '../config.ts';
import { fail, ok, type Result } from '../result.ts';
import { startCatalog } from '../start.ts';

export interface OpenedPath {
  readonly catalog: Catalog;
  /** Where a path of this catalog really lies. */
  readonly locate: (path: string) => string;
  close(): void;
}

/** `path`: absolute. A failure is what is wrong with it, to follow a colon. */
export async function openPath(path: string, settings: Settings): Promise<Result<OpenedPath, string>> {
  const target = findTarget(path);
  if (!target.ok) return target;
  return ok(target.value.isSkill ? await openSkill(target.value.folder, settings) : await openRoot(path, settings));
}

type Target = { readonly folder: string; readonly isSkill: boolean };

function findTarget(path: string): Result<Target, string> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return fail('there is no such file or folder');
  if (!stats.isDirectory()) {
    return isSkillFile(path)
      ? ok({ folder: dirname(path), isSkill: true })
      : fail('it is neither a SKILL.md nor a folder');
  }
  return ok({ folder: path, isSkill: readdirSync(path).some(isSkillFile) });
}

const isSkillFile = (path: string): boolean => basename(path).toLowerCase() === 'skill.md';

async function openRoot(root: string, settings: Settings): Promise<OpenedPath> {
  const catalog = await open([root], settings.allowLinks, settings);
  return { catalog, locate: (path) => path, close: () => catalog.close() };
}

/**
 * A root's children are skills, so one skill needs a root that holds it alone: a scratch folder with a link to it.
 * Its real parent may be anything, a home directory for example, and is not searched.
 */
async function openSkill(folder: string, settings: Settings): Promise<OpenedPath> {
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-'));
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  try {
    const real = realpathSync(folder);
    symlinkSync(real, join(scratch, basename(folder)), 'junction');
    const catalog = await open([scratch], [...settings.allowLinks, real], settings);
    const locate = (path: string) => (path.startsWith(scratch) ? dirname(folder) + path.slice(scratch.length) : path);
    return {
      catalog,
      locate,
      close() {
        catalog.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function open(given: readonly string[], allowLinks: readonly string[], settings: Settings): Promise<Catalog> {
  const rootRequest = { ...settings.rootRequest, given, withDefaults: false };
  return startCatalog({ ...settings, rootRequest, allowLinks }, { log: () => {}, watch: false });
}
