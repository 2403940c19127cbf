// What a server serves, put together once for `mcp` and `serve`: documents, typed skills and the log, as one method table.
import type { Catalog } from '../../catalog/catalog.ts';
import { createNativeSkills } from '../../catalog/native-skills.ts';
import type { Skill } from '../../catalog/view/skill.ts';
import type { NoteLoad } from '../../repertoire/load-log.ts';
import { createRepertoire, type Repertoire } from '../../repertoire/repertoire.ts';
import type { Settings } from '../../settings/config.ts';
import { startCatalog, type TypedSkills } from '../../start.ts';
import { ok, type Result } from '../../values/result.ts';
import type { SkillsApp } from '../mcp/methods/skills-app.ts';
import type { ViewOptions } from '../mcp/methods/view.ts';
import { createMethodTable } from '../mcp/table.ts';
import type { MethodTable } from '../mcp/wire/method.ts';
import type { LogEvent } from './event-log.ts';
import { keepRecords } from './keep-records.ts';
import { NO_TYPED_SIDE, startTypedSide } from './typed-side.ts';

export interface ServedSkills {
  readonly catalog: Catalog;
  readonly repertoire: Repertoire;
  readonly table: MethodTable;
  readonly typed: TypedSkills | undefined;
  /** Loads that could not be recorded. */
  readonly lostLoads: () => number;
  /** Lets running calls end, then writes what waits. */
  close(): Promise<void>;
}

export interface ServedOptions {
  readonly version: string;
  readonly log: (event: LogEvent) => void;
  /** Ready as soon as it is known what there is: a host waits for the first answer. */
  readonly early: boolean;
  /** False: nothing of typed skills is loaded. */
  readonly withTyped: boolean;
  /** Unless `--builtin` says otherwise (B6). */
  readonly hasBuiltin: boolean;
  /** Hosts run on this machine, so that their own folders are known (D10). */
  readonly hostsAreHere: boolean;
  readonly app: SkillsApp;
  readonly onLoad?: NoteLoad;
}

export async function startServedSkills(
  given: Settings,
  { version, log, early, withTyped, hasBuiltin, hostsAreHere, app, onLoad }: ServedOptions,
): Promise<Result<ServedSkills, string>> {
  const side = withTyped ? await startTypedSide(given, { log, hasBuiltin }) : NO_TYPED_SIDE;
  if (!side.ok) return side;
  const { skills: typed, tools } = side.value;
  const settings = typed?.settings ?? given;
  const catalog = await startCatalog(settings, {
    log: (message) => log({ level: 'info', message }),
    watch: true,
    early,
  });
  const records = keepRecords(settings, typed?.store, log);
  tellUnknownPins(catalog, settings.pinned, log);
  const noteLoad: NoteLoad = onLoad === undefined ? records.noteLoad : both(records.noteLoad, onLoad);
  const repertoire = createRepertoire(catalog, { noteLoad, runtime: typed?.runtime });
  typed?.bindSearch(repertoire.search);
  const view = { ...viewOf(settings, hostsAreHere), loadsOf: ({ name }: Skill) => records.countOf(name) };
  return ok({
    catalog,
    repertoire,
    table: createMethodTable({ repertoire, version, view, typedTools: tools, app }),
    typed,
    lostLoads: records.lost,
    async close() {
      catalog.close();
      try {
        await records.close();
      } finally {
        await typed?.close();
      }
    },
  });
}

const both =
  (first: NoteLoad, second: NoteLoad): NoteLoad =>
  (note) => {
    first(note);
    second(note);
  };

/** Long after the first answers: the skills are all known then, and nobody waits for this. */
const PINS_MS = 2_000;

function tellUnknownPins(catalog: Catalog, pinned: readonly string[], log: (event: LogEvent) => void): void {
  if (pinned.length === 0) return;
  const tell = () => {
    for (const name of pinned.filter((each) => catalog.current.findByName(each) === undefined)) {
      log({
        level: 'warn',
        message: `No skill is named "${name}", so --pin shows nothing for it; repertoire list has the names`,
      });
    }
  };
  setTimeout(tell, PINS_MS).unref();
}

const viewOf = ({ pinned, showNative, rootRequest }: Settings, hostsAreHere: boolean): ViewOptions =>
  showNative || !hostsAreHere ? { pinned } : { pinned, findNative: createNativeSkills(rootRequest) };
