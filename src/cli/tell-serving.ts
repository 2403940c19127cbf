// Tells that the server runs, as a screen or as one line of JSON: where, with what, how to come in.
import type { Settings } from '../config.ts';
import type { TypedSkills } from '../start.ts';
import type { CommandContext } from './command.ts';
import { toDisplayPath } from './display-path.ts';
import { toShellLine } from './program-command.ts';
import { renderServe, type ServeReport, type StoreReport } from './render-serve.ts';
import type { ServedSkills } from './served-skills.ts';

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
  const token = settings.http.noAuth ? undefined : operatorToken;
  const report: ServeReport = {
    version: context.version,
    url,
    // In the fragment: it is not sent to the server, so that it is in no log on the way.
    dashboardUrl: token === undefined ? `${url}/` : `${url}/#token=${token}`,
    documentSkills: served.catalog.current.skills.length,
    typedSkills: runtime.skills.length,
    problems: served.catalog.current.problems.length + runtime.problems.length,
    store: await findStoreReport(context, settings, store),
    authentication: settings.http.noAuth ? 'off' : 'on',
    program,
    connect: `${program} connect HOST --http ${url}/mcp${token === undefined ? '' : ' --token TOKEN'}`,
  };
  const text = context.flags.has('json')
    ? `${JSON.stringify(servingJson(report, token))}\n`
    : renderServe(report, context.output);
  context.output.write(text);
}

async function findStoreReport(
  { environment }: CommandContext,
  { storePlace, isLogged }: Settings,
  store: TypedSkills['store'],
): Promise<StoreReport> {
  if (!isLogged) return { state: 'off' };
  // An address may hold a password: it is not shown.
  const place =
    storePlace.kind === 'postgres' ? 'PostgreSQL' : `SQLite in ${toDisplayPath(storePlace.dataDirectory, environment)}`;
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
