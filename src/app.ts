// The composition: the parts of a server, put together in the order in which they need each other.
// `mcp` and `serve` start it, and programs by `repertoire/server`. What only one of them needs is loaded only there.
import type { AdaptTable } from './app/adapted-table.ts';
import type { Launch } from './app/host-guide.ts';
import type { Http } from './app/http.ts';
import { keepRecords } from './app/records.ts';
import type { SearchSkills, TypedOptions, TypedSkills } from './app/typed-skills.ts';
import { type Closing, openTogether } from './async/open-together.ts';
import type { Catalog } from './catalog/catalog.ts';
import { createNativeSkills } from './catalog/native-skills.ts';
import type { Problem, Skill } from './catalog/view/skill.ts';
import { type Caller, callerOf } from './identity/caller.ts';
import type { ServedLibrary } from './library/served-library.ts';
import { describeUnusedWithout, startCatalog } from './open-catalog.ts';
import { openIndexFile } from './repertoire/index-file.ts';
import type { NoteFile, NoteLoad } from './repertoire/load-log.ts';
import { createKeptRepertoire, type Repertoire } from './repertoire/repertoire.ts';
import type { Visibility } from './repertoire/visibility.ts';
import type { Settings } from './settings/config.ts';
import type { UserConfig } from './settings/user-config.ts';
import type { RuntimeLog } from './skills/record/runtime-log.ts';
import type { WebFolder } from './surfaces/answers/web-folder.ts';
import type { ListenWords } from './surfaces/http/server/listen.ts';
import type { Tool } from './surfaces/mcp/methods/tool.ts';
import type { ViewOptions } from './surfaces/mcp/methods/view.ts';
import { createMethodTable } from './surfaces/mcp/table.ts';
import type { MethodTable, ModernPart } from './surfaces/mcp/wire/method.ts';
import { ok, type Result } from './values/result.ts';

/** Skills that are served: documents, typed skills and the log. */
export interface App {
  /** With what the operator's file adds. */
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly repertoire: Repertoire;
  /** What an MCP client can ask. */
  readonly methods: MethodTable;
  /** Absent where none are served. */
  readonly typed: TypedSkills | undefined;
  /** Loads that could not be recorded. */
  readonly lostLoads: () => number;
  /** Looks what of the library is current now; absent where none is served. */
  readonly refreshLibrary?: (() => void) | undefined;
  /** Writes the loads that wait, lets running calls end, then closes the store. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly version: string;
  readonly log: RuntimeLog;
  /** The pages that were built beside the program. */
  readonly web: WebFolder;
  /** True: ready as soon as it is known what there is, because a host waits for the first answer. */
  readonly early: boolean;
  /** False: nothing of typed skills is loaded. */
  readonly withTyped: boolean;
  /** The skills of the store are served, too (L1). */
  readonly withLibrary?: boolean;
  /** Others call it at any time; left out: its own host alone does. */
  readonly isServer?: boolean;
  /** Whether the built-in skills are served when `--builtin` is not given (B6). */
  readonly hasBuiltin: boolean;
  /** Hosts run on this machine, so that their own folders are known (D10). */
  readonly hostsAreHere: boolean;
  readonly onLoad?: NoteLoad;
  readonly onFile?: NoteFile;
  /** Called when folders are watched and files have digests: all that a start does after its first answers. */
  readonly onLive?: () => void;
  /** What a program gives in place of a configuration file. */
  readonly own?: UserConfig | undefined;
  /** Changes what clients can ask: for the fixture of the conformance suite, which has tools of its own. */
  readonly adaptTable?: AdaptTable | undefined;
}

/** The failure is one sentence. */
export const startApp = (given: Settings, options: AppOptions): Promise<Result<App, string>> =>
  openTogether((closing) => openApp(given, options, closing));

async function openApp(given: Settings, options: AppOptions, closing: Closing): Promise<Result<App, string>> {
  const { version, log, web, early, adaptTable = (table) => table } = options;
  // Typed skills may search all skills, themselves included. They do when they run: the repertoire below is there by then.
  const search: SearchSkills = (query, limit, caller) => repertoire.search(query, limit, caller);
  const started = options.withTyped ? await startTyped(given, { ...options, search }, closing) : NO_TYPED;
  if (!started.ok) return started;
  const { typed, tools, modern } = started.value;
  const settings = typed?.settings ?? given;
  const library = options.withLibrary && typed ? await startLibrary(settings, typed, log) : undefined;
  const refreshLibrary = library && (() => void library.refresh());
  const ofLibrary = library && typed ? await libraryTools(typed, refreshLibrary, () => repertoire) : [];
  if (library) closing.add(async () => library.close());
  const catalog = await startCatalog(settings, {
    log: (message) => log({ level: 'info', message }),
    watch: true,
    early,
    program: version,
    library,
    ...(options.onLive && { onLive: options.onLive }),
  });
  closing.add(() => catalog.close());
  if (library) repairCopies(catalog, library);
  const records = keepRecords(settings, typed?.store, log);
  closing.add(records.close);
  const noteLoad = both(records.noteLoad, options.onLoad);
  const noteFile = both(records.noteFile, options.onFile);
  const visibility = await openVisibility(settings);
  if (!visibility.ok) return visibility;
  const indexFile = settings.isRemembered
    ? openIndexFile(
        settings.dataDirectory,
        version,
        catalog.roots.map(({ root }) => root.path),
      )
    : undefined;
  const repertoire = createKeptRepertoire(
    catalog,
    { noteLoad, noteFile, runtime: typed?.runtime },
    { indexFile, visibility: visibility.value },
  );
  const view = { ...viewOf(settings, options), loadsOf: ({ name }: Skill) => records.countOf(name) };
  const nameWarning = warnOfUnknownNames(catalog, { ...settings, typed: typed?.names ?? [] }, log);
  closing.add(() => clearTimeout(nameWarning));
  return ok({
    settings,
    catalog,
    repertoire,
    methods: adaptTable(
      createMethodTable({
        repertoire,
        version,
        view,
        caller: callerOf(settings.agent),
        typedTools: [...tools, ...ofLibrary],
        modern,
        app: web,
      }),
    ),
    typed,
    lostLoads: records.lost,
    refreshLibrary,
    close: closing.close,
  });
}

/** An app that is served over HTTP. */
export interface HttpApp extends App {
  readonly typed: TypedSkills;
  readonly url: string;
  /** Absent where none can be kept and none is needed (`--no-auth`). */
  readonly operatorToken: string | undefined;
}

export interface HttpAppOptions extends Pick<AppOptions, 'version' | 'log' | 'web' | 'own' | 'adaptTable'> {
  /** For the sentence that says why it cannot listen; those of programs when absent. */
  readonly listenWords?: ListenWords;
  /** How the process was started, for what pages tell people to type; absent in a program that starts the server itself. */
  readonly launch?: Launch;
}

/** Starts also while the store is away (H6). */
export async function startHttpApp(given: Settings, options: HttpAppOptions): Promise<Result<HttpApp, string>> {
  const { createHttp } = await import('./app/http.ts');
  const { isLoopbackHost } = await import('./surfaces/http/server/host-header.ts');
  const http = createHttp(options);
  const app = await startApp(given, {
    ...options,
    early: false,
    withTyped: true,
    withLibrary: true,
    isServer: true,
    hasBuiltin: true,
    hostsAreHere: isLoopbackHost(given.http.host),
    onLoad: http.noteLoad,
    onFile: http.noteFile,
  });
  const opened = app.ok ? await openHttp(app.value, http, options) : app;
  if (opened.ok) (await import('./app/warn-of-folders.ts')).warnOfFolders(opened.value, options.log);
  return opened;
}

const openHttp = (app: App, http: Http, { log }: Pick<HttpAppOptions, 'log'>): Promise<Result<HttpApp, string>> =>
  openTogether(async (closing) => {
    closing.add(http.flush);
    closing.add(app.close);
    // With `withTyped` there is a runtime, if only an empty one.
    const skills = app as App & { readonly typed: TypedSkills };
    const opened = await http.open(skills);
    if (!opened.ok) return opened;
    closing.add(opened.value.close);
    if (app.settings.http.sync) closing.add(await startSyncing(app.settings, log));
    const { url, operatorToken } = opened.value;
    return ok({ ...skills, url, operatorToken, close: closing.close });
  });

/** Beside serving: what it brings is served when it is there (S4). */
async function startSyncing({ rootRequest, dataDirectory }: Settings, log: RuntimeLog): Promise<() => Promise<void>> {
  const { keepSynced } = await import('./sources/keep-synced.ts');
  const { project, variables } = rootRequest;
  return keepSynced({ project, variables, dataDirectory, log });
}

/** With what was seen last, where the store does not answer in time. */
async function startLibrary(settings: Settings, { store }: TypedSkills, log: RuntimeLog): Promise<ServedLibrary> {
  const { startServedLibrary } = await import('./app/library.ts');
  return startServedLibrary(settings, store, log);
}

/** A file of the copy that was changed or lost is brought from the store again, as soon as that is noticed (N7). */
function repairCopies(catalog: Catalog, { repair }: ServedLibrary): void {
  const isBroken = ({ source, rule }: Problem) => source === 'library' && rule.startsWith('source-');
  catalog.subscribeSwaps?.(({ snapshot }) => {
    if (snapshot.problems.some(isBroken)) repair();
  });
}

async function libraryTools(
  { store }: TypedSkills,
  refreshLibrary: (() => void) | undefined,
  repertoire: () => Repertoire,
): Promise<readonly Tool[]> {
  const [{ proposeSkillTool }, { limitLibrary }] = await Promise.all([
    import('./surfaces/mcp/methods/propose-skill.ts'),
    import('./operations/limited-library.ts'),
  ]);
  const portsFor = (caller: Caller) => ({
    library: limitLibrary(store.library, repertoire(), caller),
    refreshLibrary,
  });
  return [proposeSkillTool(portsFor, callerOf(undefined))];
}

/** Loaded where something may be limited. */
async function openVisibility(settings: Settings): Promise<Result<Visibility | undefined, string>> {
  return settings.visible.length === 0 && settings.http.oauth === undefined
    ? ok(undefined)
    : (await import('./app/visibility.ts')).resolveVisibility(settings);
}

interface TypedTools {
  readonly typed: TypedSkills | undefined;
  readonly tools: readonly Tool[];
  /** Absent where nothing outlives a call. */
  readonly modern: ModernPart | undefined;
}

const NO_TYPED: Result<TypedTools, string> = ok({ typed: undefined, tools: [], modern: undefined });

async function startTyped(
  settings: Settings,
  options: TypedOptions,
  closing: Closing,
): Promise<Result<TypedTools, string>> {
  const [{ explainNoSkills, problemSentences, startTypedSkills }, { typedMethods }, { createNoteUnknownRun }] =
    await Promise.all([
      import('./app/typed-skills.ts'),
      import('./surfaces/mcp/methods/typed-skills.ts'),
      import('./app/unknown-runs.ts'),
    ]);
  const started = await startTypedSkills(settings, { ...options, takesRuns: 'all' });
  if (!started.ok) return started;
  closing.add(started.value.close);
  const { runtime, runs } = started.value;
  const warnings = [...problemSentences(runtime), explainNoSkills(runtime, settings.agent) ?? []].flat();
  for (const message of warnings) options.log({ level: 'warn', message });
  const onUnknown = createNoteUnknownRun(options.log);
  const tasks = runs && { runs, ttlMs: started.value.settings.keepMs, onUnknown };
  return ok({ typed: started.value, ...typedMethods({ runtime, agent: settings.agent, tasks }) });
}

const both =
  <T>(first: (note: T) => void, second: (note: T) => void = () => undefined) =>
  (note: T): void => {
    first(note);
    second(note);
  };

const viewOf = ({ pinned, showNative, rootRequest }: Settings, { hostsAreHere }: AppOptions): ViewOptions =>
  showNative || !hostsAreHere ? { pinned } : { pinned, findNative: createNativeSkills(rootRequest) };

/** Long after the first answers: all skills are known then. */
const NAMES_MS = 2_000;

/** Of skills to pin, to leave out and to limit. */
function warnOfUnknownNames(
  catalog: Catalog,
  {
    pinned,
    without,
    visible,
    typed,
  }: Pick<Settings, 'pinned' | 'without' | 'visible'> & { readonly typed: readonly string[] },
  log: RuntimeLog,
): NodeJS.Timeout | undefined {
  if (pinned.length === 0 && without.length === 0 && visible.length === 0) return undefined;
  const warn = async () => {
    for (const name of pinned.filter((each) => catalog.current.findByName(each) === undefined)) {
      const message = `Cannot pin the skill "${name}": no skill has this name`;
      log({ level: 'warn', message });
    }
    for (const message of describeUnusedWithout(catalog, typed)) log({ level: 'warn', message });
    if (visible.length === 0) return;
    const { describeUnmatched } = await import('./app/visibility.ts');
    for (const message of describeUnmatched(visible, catalog)) log({ level: 'warn', message });
  };
  return setTimeout(() => void warn(), NAMES_MS).unref();
}
