// What a server that has started says: where it is, what it serves, who may come in, what to paste into a host.
import { join } from 'node:path';
import { type BadRoot, badRootText, findBadRoots } from '../../app/bad-roots.ts';
import type { Store } from '../../app/store.ts';
import type { HttpApp } from '../../app.ts';
import type { Settings } from '../../settings/config.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { toShellLine } from '../../text/shell-line.ts';
import type { CommandContext } from './command.ts';
import { storeName } from './open-store.ts';
import { createDoctorLine } from './server-command.ts';
import type { Layout } from './terminal/output.ts';
import { displayWidth, hangingText, padToWidth } from './terminal/text-layout.ts';

type Serving = Pick<HttpApp, 'url' | 'operatorToken' | 'catalog' | 'settings' | 'typed'>;

/** Where it is, with what, how to come in: a screen, or one line of JSON. */
export async function reportServing(context: CommandContext, app: Serving): Promise<void> {
  const { url, operatorToken, catalog, settings } = app;
  const { store, runtime } = app.typed;
  const program = toShellLine(context.program());
  const isTokenOfVariable = settings.http.operatorToken !== undefined;
  const token = settings.http.noAuth ? undefined : operatorToken;
  const report: ServeReport = {
    version: context.version,
    url,
    // In the fragment: it is not sent to the server, so that it is in no log on the way. A token of the variable is known to
    // the operator and not shown: the screen of a server in a container ends up in logs.
    dashboardUrl: token === undefined || isTokenOfVariable ? `${url}/` : `${url}/#token=${token}`,
    isTokenOfVariable,
    documentSkills: catalog.current.skills.length,
    typedSkills: runtime.skills.length,
    problems: catalog.current.problems.length + runtime.problems.length,
    store: await findStoreReport(context, settings, store),
    authentication: settings.http.noAuth ? 'off' : 'on',
    doctor: createDoctorLine(context),
    agentAdd: toShellLine([...context.program(), 'agent', 'add', 'NAME', ...dataOption(context, settings)]),
    needsDatabaseUrl: settings.storePlace.kind === 'postgres',
    connect: `${program} connect HOST --http ${url}/mcp`,
    signInUrl:
      settings.http.noAuth || settings.http.oauth === undefined ? undefined : signInUrlOf(url, settings.http.oauth),
    badRoots: findBadRoots(catalog, settings),
  };
  const text = context.flags.has('json')
    ? `${JSON.stringify(servingJson(report, token))}\n`
    : renderServe(report, context.output);
  context.output.write(text);
}

/** As hosts call it: the public address, where there is one. */
const signInUrlOf = (url: string, { publicUrl }: { readonly publicUrl: string | undefined }): string =>
  `${(publicUrl ?? url).replace(/\/+$/, '')}/mcp`;

/** To add an agent, the same folder must be named. */
function dataOption({ environment }: CommandContext, { storePlace }: Settings): readonly string[] {
  if (storePlace.kind !== 'sqlite' || storePlace.dataDirectory === join(environment.home, '.repertoire')) return [];
  return ['--data', storePlace.dataDirectory];
}

async function findStoreReport(
  { environment }: CommandContext,
  settings: Settings,
  store: Pick<Store, 'health'>,
): Promise<StoreReport> {
  if (!settings.isLogged) return { state: 'off' };
  const place = storeName(settings, environment);
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
  sign_in_url: report.signInUrl ?? null,
});

export interface ServeReport {
  readonly version: string;
  readonly url: string;
  /** With the operator's token, so that it opens without asking; without one where none is needed or it is not to be shown. */
  readonly dashboardUrl: string;
  /** The operator set the token by a variable: it is not shown. */
  readonly isTokenOfVariable: boolean;
  readonly documentSkills: number;
  readonly typedSkills: number;
  readonly problems: number;
  readonly store: StoreReport;
  readonly authentication: 'on' | 'off';
  /** The command that tells more about the problems. */
  readonly doctor: string;
  /** The words that make a token for an agent. */
  readonly agentAdd: string;
  /** They need the address of the database beside them, which is not shown: it may hold a password. */
  readonly needsDatabaseUrl: boolean;
  /** The words that put this server into a host. */
  readonly connect: string;
  /** Where hosts sign in by OAuth; absent: they need a token. */
  readonly signInUrl: string | undefined;
  /** Folders that were asked for and cannot be searched. */
  readonly badRoots: readonly BadRoot[];
}

type StoreReport =
  | { readonly state: 'off' }
  | { readonly state: 'ready'; readonly place: string }
  | { readonly state: 'unavailable'; readonly place: string; readonly reason: string };

export function renderServe(report: ServeReport, layout: Layout): string {
  const { paint, columns } = layout;
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Open', [paint.cyan(report.dashboardUrl)]],
    ['Skills', wrapped(skillsText(report, layout), columns)],
    ...report.badRoots.map((root) => ['', wrapped(paint.yellow(badRootText(root)), columns)] as const),
    ['Log', wrapped(storeText(report.store, layout), columns)],
    ['Access', wrapped(accessText(report, layout), columns)],
    ...(report.signInUrl === undefined ? [] : [['', wrapped(signInText(report.signInUrl), columns)] as const]),
    ['Connect', connectLines(report, columns - LABEL_WIDTH - 2)],
  ];
  const lines = rows.flatMap(([label, texts]) =>
    texts.map((text, index) => `  ${paint.dim(padToWidth(index === 0 ? label : '', LABEL_WIDTH))}${text}`),
  );
  const headline = `${paint.bold('Repertoire')} ${paint.dim(report.version)}  serving on ${paint.bold(report.url)}`;
  return `${[headline, '', ...lines, '', paint.dim('Press Ctrl-C to stop.')].join('\n')}\n`;
}

const LABEL_WIDTH = 10;

const wrapped = (text: string, columns: number): readonly string[] => hangingText('', text, columns - LABEL_WIDTH - 2);

function skillsText({ documentSkills, typedSkills, problems, doctor }: ServeReport, { paint }: Layout): string {
  const trouble =
    problems === 0
      ? paint.green('no problems')
      : `${paint.yellow(counted(problems, 'problem'))}: \`${toOneLine(doctor)}\``;
  return `${counted(documentSkills, 'document skill')}, ${counted(typedSkills, 'typed skill')} · ${trouble}`;
}

function storeText(store: StoreReport, { paint }: Layout): string {
  if (store.state === 'off') return 'nothing is recorded (--no-log)';
  const place = toOneLine(store.place);
  if (store.state === 'ready') return `${place} · ${paint.green('ready')}`;
  return `${place} · ${paint.yellow('not available')}: ${toOneLine(store.reason)}. Document skills are still served.`;
}

function accessText(
  { authentication, isTokenOfVariable, agentAdd, needsDatabaseUrl }: ServeReport,
  { paint }: Layout,
): string {
  if (authentication === 'off') return paint.yellow('anyone who can reach this address may do everything (--no-auth)');
  const beside = needsDatabaseUrl ? ' with the same DATABASE_URL' : '';
  const yours = isTokenOfVariable ? 'the value of REPERTOIRE_OPERATOR_TOKEN' : 'in the link above';
  return `with a token: yours is ${yours}, \`${toOneLine(agentAdd)}\`${beside} creates one for an agent`;
}

const signInText = (url: string): string => `hosts can sign in by OAuth without a token, at ${toOneLine(url)}`;

/** To be pasted: what is too long is broken as a shell reads it. */
function connectLines({ authentication, connect, signInUrl }: ServeReport, width: number): readonly string[] {
  const line = toOneLine(connect);
  const lines = displayWidth(line) <= width ? [line] : line.replace(' --http ', ' \\\n  --http ').split('\n');
  return authentication === 'off'
    ? lines
    : [...lines, signInUrl === undefined ? WITH_TOKEN : `${WITH_TOKEN}, or without: the host signs in`];
}

const WITH_TOKEN = 'with a token in the variable REPERTOIRE_TOKEN';
