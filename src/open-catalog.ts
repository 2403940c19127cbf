// The catalog, opened as settings say: `openCatalog` for programs, with the command line's defaults; `startCatalog` for commands.
import type { Catalog, SourceRoots } from './catalog/catalog.ts';
import { openCatalogEarly, openLiveCatalog } from './catalog/live-catalog.ts';
import { openNoteFiles } from './catalog/remember/note-files.ts';
import { resolveRoots } from './catalog/roots.ts';
import type { Root } from './catalog/scan/root.ts';
import { findUnknownHosts, SKILL_READERS } from './hosts/select-hosts.ts';
import { NOTHING_GIVEN, resolveSettings, type Settings } from './settings/config.ts';
import { readEnvironment } from './settings/environment.ts';
import { openSourceRoots } from './sources/source-roots.ts';
import { findNearest } from './text/nearest.ts';
import { toOneLine } from './text/one-line.ts';
import type { FieldRule } from './values/field-rules.ts';

/**
 * Which folders `openCatalog` reads, and whether it follows what changes there. Every option may be left out.
 *
 * @example
 * const options: OpenCatalogOptions = { roots: ['./skills'], without: ['drafts'], watch: false };
 * const once = await openCatalog(options);
 */
export interface OpenCatalogOptions {
  /** Folders that hold skill folders; they replace the default ones. Relative to the working directory, `~/` allowed. */
  readonly roots?: readonly string[];
  /** Adds the default folders (`./.agents/skills`, `~/.claude/skills` …) after `roots`. */
  readonly defaultRoots?: boolean;
  /** Adds the folders of these hosts (`cursor`, `codex` …) after all others; `all` stands for every one. */
  readonly hosts?: readonly string[];
  /** The former name of `hosts`; what both name is looked at. */
  readonly agents?: readonly string[];
  /** What `./` means in the default folders. The working directory when absent. */
  readonly project?: string;
  /** Directories outside the roots that links may lead into. */
  readonly allowLinks?: readonly string[];
  /** Names of skills that are in no listing, search or lookup. */
  readonly without?: readonly string[];
  /** Follow changes on disk. True when absent. */
  readonly watch?: boolean;
  /** A change that no watcher saw is seen after this long. 30,000 when absent. */
  readonly rescanMs?: number;
  /** One line for each refresh that changed something. Silent when absent. */
  readonly log?: (line: string) => void;
}

/**
 * Reads every skill below the roots and keeps them fresh until `close()`. A broken skill is no error, but one of
 * `current.problems`, and `roots` tells which folders are missing. It rejects with one sentence when an option is unknown
 * or cannot be used.
 *
 * @example
 * const catalog = await openCatalog({ roots: ['./skills'] });
 * console.log(catalog.current.skills.map((skill) => skill.name));
 * catalog.close();
 */
export async function openCatalog(options: OpenCatalogOptions = {}): Promise<Catalog> {
  // Programs without types hand over anything. Loaded here: a start of `mcp` needs none of it.
  const { CATALOG_FIELDS, refuseUnfit } = await import('./settings/catalog-fields.ts');
  const fields: Record<keyof OpenCatalogOptions, FieldRule> = CATALOG_FIELDS;
  refuseUnfit(options, fields);
  const { roots = [], defaultRoots = false, project, allowLinks = [], without = [] } = options;
  const { hosts = [], agents = [], watch = true } = options;
  const hostNames = [...hosts, ...agents];
  const [stranger] = findUnknownHosts(hostNames);
  if (stranger !== undefined) {
    const known = SKILL_READERS.map(({ id }) => id).join(', ');
    throw new Error(`Cannot open the catalog: no host is called "${stranger}"; use all, or names of ${known}`);
  }
  const given = { ...NOTHING_GIVEN, roots, defaultRoots, project, allowLinks, without, agents: hostNames };
  const settings = resolveSettings(given, readEnvironment());
  const rescanMs = options.rescanMs ?? settings.rescanMs;
  return startCatalog({ ...settings, rescanMs }, { watch, log: options.log ?? (() => undefined) });
}

/** A mistyped name leaves nothing out: a sentence for each. `typed`: names of typed skills, which can be left out, too. */
export function describeUnusedWithout(
  { current }: Pick<Catalog, 'current'>,
  typed: readonly string[],
): readonly string[] {
  const names = [...current.skills.map(({ name }) => name), ...typed];
  const isTyped = (given: string) => typed.some((name) => name.toLowerCase() === given.trim().toLowerCase());
  const unused = current.findUnusedWithout().filter((given) => !isTyped(given));
  return unused.map((given) => {
    const [nearest] = findNearest(given, names, 1);
    const advice = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
    return toOneLine(`Cannot leave out the skill "${given}": no skill has this name${advice}`);
  });
}

export interface StartOptions {
  /** One line per event. Never standard output: that belongs to the protocol. */
  readonly log: (line: string) => void;
  /** False for commands that look once. */
  readonly watch: boolean;
  /** True: ready as soon as it is known what there is; see `openCatalogEarly`. */
  readonly early?: boolean;
  /** Behind the sources. */
  readonly library?: SourceRoots | undefined;
  /** Instead of those of the settings, and of the sources. */
  readonly roots?: readonly Root[];
  /** Who remembers what was found: version and build of the program. Absent: nothing is remembered. */
  readonly program?: string;
  /** Called when folders are watched and files have digests. */
  readonly onLive?: () => void;
}

/** The catalog that settings ask for. */
export async function startCatalog(settings: Settings, options: StartOptions): Promise<Catalog> {
  const { log, watch, early = false, roots, onLive, program, library } = options;
  const notes =
    program !== undefined && settings.isRemembered ? openNoteFiles(settings.dataDirectory, program) : undefined;
  const { project } = settings.rootRequest;
  const { dataDirectory } = settings;
  const ofLocks = roots === undefined ? await openSourceRoots({ project, dataDirectory }) : undefined;
  const sources = ofLocks && library ? together(ofLocks, library) : ofLocks;
  const open = early ? openCatalogEarly : openLiveCatalog;
  return await open({
    roots: roots ?? resolveRoots(settings.rootRequest),
    allowLinks: settings.allowLinks,
    without: settings.without,
    rescanMs: settings.rescanMs,
    watch,
    now: () => new Date(),
    log,
    ...(onLive && { onLive }),
    ...(notes && { notes }),
    ...(sources && { sources }),
  });
}

/** One after the other. */
const together = (first: SourceRoots, second: SourceRoots): SourceRoots => ({
  current: () => [...first.current(), ...second.current()],
  subscribe: (listener) => {
    const stops = [first.subscribe(listener), second.subscribe(listener)];
    return () => {
      for (const stop of stops) stop();
    };
  },
});
