// The composition: the parts of a server, put together in the order in which they need each other.
// `mcp` and `serve` start it, and programs by `repertoire/server`. What only one of them needs is loaded only there.
import type { Launch } from './app/host-guide.ts';
import type { Http } from './app/http.ts';
import { keepRecords } from './app/records.ts';
import type { SearchSkills, TypedOptions, TypedSkills } from './app/typed-skills.ts';
import { type Closing, openTogether } from './async/open-together.ts';
import type { Catalog } from './catalog/catalog.ts';
import { createNativeSkills } from './catalog/native-skills.ts';
import type { Skill } from './catalog/view/skill.ts';
import { callerOf } from './identity/caller.ts';
import { describeUnusedWithout, startCatalog } from './open-catalog.ts';
import { openIndexFile } from './repertoire/index-file.ts';
import type { NoteFile, NoteLoad } from './repertoire/load-log.ts';
import { createKeptRepertoire, type Repertoire } from './repertoire/repertoire.ts';
import type { Settings } from './settings/config.ts';
import type { UserConfig } from './settings/user-config.ts';
import type { RuntimeLog } from './skills/record/runtime-log.ts';
import type { WebFolder } from './surfaces/answers/web-folder.ts';
import type { ListenWords } from './surfaces/http/server/listen.ts';
import type { Tool } from './surfaces/mcp/methods/tool.ts';
import type { ViewOptions } from './surfaces/mcp/methods/view.ts';
import { createMethodTable } from './surfaces/mcp/table.ts';
import type { MethodTable } from './surfaces/mcp/wire/method.ts';
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
}

/** The failure is one sentence. */
export const startApp = (given: Settings, options: AppOptions): Promise<Result<App, string>> =>
  openTogether((closing) => openApp(given, options, closing));

async function openApp(given: Settings, options: AppOptions, closing: Closing): Promise<Result<App, string>> {
  const { version, log, web, early } = options;
  // Typed skills may search all skills, themselves included. They do when they run: the repertoire below is there by then.
  const search: SearchSkills = (query, limit, caller) => repertoire.search(query, limit, caller);
  const started = options.withTyped ? await startTyped(given, { ...options, search }, closing) : NO_TYPED;
  if (!started.ok) return started;
  const { typed, tools } = started.value;
  const settings = typed?.settings ?? given;
  const catalog = await startCatalog(settings, {
    log: (message) => log({ level: 'info', message }),
    watch: true,
    early,
    program: version,
    ...(options.onLive && { onLive: options.onLive }),
  });
  closing.add(() => catalog.close());
  const records = keepRecords(settings, typed?.store, log);
  closing.add(records.close);
  const noteLoad = both(records.noteLoad, options.onLoad);
  const noteFile = both(records.noteFile, options.onFile);
  const indexFile = settings.isRemembered
    ? openIndexFile(
        settings.dataDirectory,
        version,
        catalog.roots.map(({ root }) => root.path),
      )
    : undefined;
  const repertoire = createKeptRepertoire(catalog, { noteLoad, noteFile, runtime: typed?.runtime }, indexFile);
  const view = { ...viewOf(settings, options), loadsOf: ({ name }: Skill) => records.countOf(name) };
  const nameWarning = warnOfUnknownNames(catalog, { ...settings, typed: typed?.names ?? [] }, log);
  closing.add(() => clearTimeout(nameWarning));
  return ok({
    settings,
    catalog,
    repertoire,
    methods: createMethodTable({
      repertoire,
      version,
      view,
      caller: callerOf(settings.agent),
      typedTools: tools,
      app: web,
    }),
    typed,
    lostLoads: records.lost,
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

export interface HttpAppOptions extends Pick<AppOptions, 'version' | 'log' | 'web' | 'own'> {
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
    hasBuiltin: true,
    hostsAreHere: isLoopbackHost(given.http.host),
    onLoad: http.noteLoad,
    onFile: http.noteFile,
  });
  const opened = app.ok ? await openHttp(app.value, http) : app;
  if (opened.ok) (await import('./app/warn-of-folders.ts')).warnOfFolders(opened.value, options.log);
  return opened;
}

const openHttp = (app: App, http: Http): Promise<Result<HttpApp, string>> =>
  openTogether(async (closing) => {
    closing.add(app.close);
    // With `withTyped` there is a runtime, if only an empty one.
    const skills = app as App & { readonly typed: TypedSkills };
    const opened = await http.open(skills);
    if (!opened.ok) return opened;
    closing.add(opened.value.close);
    const { url, operatorToken } = opened.value;
    return ok({ ...skills, url, operatorToken, close: closing.close });
  });

interface TypedTools {
  readonly typed: TypedSkills | undefined;
  readonly tools: readonly Tool[];
}

const NO_TYPED: Result<TypedTools, string> = ok({ typed: undefined, tools: [] });

async function startTyped(
  settings: Settings,
  options: TypedOptions,
  closing: Closing,
): Promise<Result<TypedTools, string>> {
  const [{ explainNoSkills, problemSentences, startTypedSkills }, { typedSkillTools }] = await Promise.all([
    import('./app/typed-skills.ts'),
    import('./surfaces/mcp/methods/typed-skills.ts'),
  ]);
  const started = await startTypedSkills(settings, options);
  if (!started.ok) return started;
  closing.add(started.value.close);
  const { runtime } = started.value;
  const warnings = [...problemSentences(runtime), explainNoSkills(runtime, settings.agent) ?? []].flat();
  for (const message of warnings) options.log({ level: 'warn', message });
  return ok({ typed: started.value, tools: typedSkillTools({ runtime, agent: settings.agent }) });
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

/** Of skills to pin and to leave out. */
function warnOfUnknownNames(
  catalog: Catalog,
  { pinned, without, typed }: Pick<Settings, 'pinned' | 'without'> & { readonly typed: readonly string[] },
  log: RuntimeLog,
): NodeJS.Timeout | undefined {
  if (pinned.length === 0 && without.length === 0) return undefined;
  const warn = () => {
    for (const name of pinned.filter((each) => catalog.current.findByName(each) === undefined)) {
      const message = `Cannot pin the skill "${name}": no skill has this name`;
      log({ level: 'warn', message });
    }
    for (const message of describeUnusedWithout(catalog, typed)) log({ level: 'warn', message });
  };
  return setTimeout(warn, NAMES_MS).unref();
}
