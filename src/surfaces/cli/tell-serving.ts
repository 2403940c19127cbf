// Tells that the server runs, as a screen or as one line of JSON: where, with what, how to come in.
import { join } from 'node:path';
import type { Settings } from '../../settings/config.ts';
import type { TypedSkills } from '../../start.ts';
import { findBadRoots } from './bad-roots.ts';
import type { CommandContext } from './command.ts';
import { toShellLine } from './program-command.ts';
import { placeText } from './read-store.ts';
import { renderServe, type ServeReport, type StoreReport } from './render-serve.ts';
import type { ServedSkills } from './served-skills.ts';
import { createDoctorLine } from './server-command.ts';

export interface Serving {
  readonly url: string;
  readonly operatorToken: string | undefined;
}

export async function tellServing(
  context: CommandContext,
  served: ServedSkills & { readonly typed: TypedSkills },
  { url, operatorToken }: Serving,
): Promise<void> {
  const { settings, store, runtime } = served.typed;
  const program = toShellLine(context.program());
  const isTokenOfVariable = settings.http.operatorToken !== undefined;
  const token = settings.http.noAuth ? undefined : operatorToken;
  const report: ServeReport = {
    version: context.version,
    url,
    // In the fragment: it is not sent to the server, so that it is in no log on the way. Whoever set the variable knows it:
    // the screen of a server in a container ends up in logs.
    dashboardUrl: token === undefined || isTokenOfVariable ? `${url}/` : `${url}/#token=${token}`,
    isTokenOfVariable,
    documentSkills: served.catalog.current.skills.length,
    typedSkills: runtime.skills.length,
    problems: served.catalog.current.problems.length + runtime.problems.length,
    store: await findStoreReport(context, settings, store),
    authentication: settings.http.noAuth ? 'off' : 'on',
    doctor: createDoctorLine(context),
    agentAdd: toShellLine([...context.program(), 'agent', 'add', 'NAME', ...dataOption(context, settings)]),
    needsDatabaseUrl: settings.storePlace.kind === 'postgres',
    connect: `${program} connect HOST --http ${url}/mcp`,
    badRoots: findBadRoots(served.catalog, settings),
  };
  const text = context.flags.has('json')
    ? `${JSON.stringify(servingJson(report, token))}\n`
    : renderServe(report, context.output);
  context.output.write(text);
}

/** Whoever adds an agent must name the same folder. */
function dataOption({ environment }: CommandContext, { storePlace }: Settings): readonly string[] {
  if (storePlace.kind !== 'sqlite' || storePlace.dataDirectory === join(environment.home, '.repertoire')) return [];
  return ['--data', storePlace.dataDirectory];
}

async function findStoreReport(
  { environment }: CommandContext,
  settings: Settings,
  store: TypedSkills['store'],
): Promise<StoreReport> {
  if (!settings.isLogged) return { state: 'off' };
  const place = placeText(settings, environment);
  const health = await store.health();
  return health.isReady ? { state: 'ready', place } : { state: 'unavailable', place, reason: health.reason };
}

const servingJson = (report: ServeReport, token: string | undefined): unknown => ({
  url: report.url,
  mcp_url: `${report.url}/mcp`,
  api_url: `${report.url}/api`,
  dashboard_url: report.dashboardUrl,
  token: token ?? null,
  document_skills: report.documentSkills,
  typed_skills: report.typedSkills,
  problems: report.problems,
  store: { state: report.store.state, place: report.store.state === 'off' ? null : report.store.place },
  authentication: report.authentication,
});
