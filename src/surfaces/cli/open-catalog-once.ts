// The catalog for a command that looks once, of the configured folders or of one path. Nothing is watched.
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { badRootText, findBadRoots } from '../../app/bad-roots.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Root } from '../../catalog/scan/root.ts';
import { describeUnusedWithout, startCatalog } from '../../open-catalog.ts';
import type { Settings } from '../../settings/config.ts';
import { codeOf } from '../../values/error-code.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext } from './command.ts';
import { type Output, saySentence } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';

const ONE_LOOK = { log: () => {}, watch: false } as const;

/** `saysItself`: the command has words of its own for a folder that is not there. */
export async function openCatalogOnce(
  { settings, errors }: Pick<CommandContext, 'settings' | 'errors'>,
  { saysItself = false } = {},
): Promise<Catalog> {
  const catalog = await withProgress(errors, 'Scanning…', () => startCatalog(settings, ONE_LOOK));
  if (!saysItself) tellBadRoots(catalog, settings, errors);
  const typed = await namesOfBuiltin(settings);
  for (const sentence of typed === undefined ? [] : describeUnusedWithout(catalog, typed))
    saySentence(errors, `Warning: ${sentence}`);
  return catalog;
}

/** A missing root is not an error (D1), but it is rarely meant. */
export function tellBadRoots(catalog: Pick<Catalog, 'roots'>, settings: Settings, errors: Output): void {
  for (const root of findBadRoots(catalog, settings)) saySentence(errors, `Warning: ${badRootText(root)}`);
}

/** `undefined`: there is a file whose typed skills may have the name; `serve` and `mcp` know them, and warn. */
async function namesOfBuiltin({ without, configFile }: Settings): Promise<readonly string[] | undefined> {
  if (without.length === 0 || configFile !== undefined) return undefined;
  return (await import('../../builtin/builtin-names.ts')).ALL_BUILTIN_NAMES;
}

/** `path`: absolute; a SKILL.md, a skill's folder, or a folder of skills. A failure is what is wrong with it, to follow a colon. */
export async function openPath(path: string, settings: Settings): Promise<Result<Catalog, string>> {
  const root = findRoot(path);
  if (!root.ok) return root;
  return ok(await startCatalog(settings, { ...ONE_LOOK, roots: [root.value] }));
}

function findRoot(path: string): Result<Root, string> {
  try {
    return lookForRoot(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return fail(code === 'EACCES' || code === 'EPERM' ? 'permission denied' : 'there is no such file or folder');
  }
}

function lookForRoot(path: string): Result<Root, string> {
  const stats = statSync(path);
  if (stats.isDirectory()) return ok(readdirSync(path).some(isSkillFile) ? rootOfSkill(path) : rootAt(path));
  return isSkillFile(path) ? ok(rootOfSkill(dirname(path))) : fail('it is neither a SKILL.md nor a folder');
}

const isSkillFile = (path: string): boolean => basename(path).toLowerCase() === 'skill.md';

const rootAt = (path: string): Root => ({ label: path, path, boundary: undefined });

/** Its parent may be anything, a home directory for example: nothing else in it is looked at. */
const rootOfSkill = (folder: string): Root => ({ ...rootAt(dirname(folder)), only: basename(folder) });
