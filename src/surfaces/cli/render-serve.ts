// The screen of a server that has started: where it is, what it serves, who may come in, what to paste into a host. Pure.

import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { type BadRoot, badRootText } from './bad-roots.ts';
import type { Layout } from './terminal/output.ts';
import { displayWidth, hangingText, padToWidth } from './terminal/text-layout.ts';

export interface ServeReport {
  readonly version: string;
  readonly url: string;
  /** With the operator's token, so that it opens without asking; without one where none is needed or it is not to be shown. */
  readonly dashboardUrl: string;
  /** The operator set the token by a variable: whoever did knows it, and it is not shown. */
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
  /** Folders that were asked for and cannot be searched. */
  readonly badRoots: readonly BadRoot[];
}

export type StoreReport =
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
    ['Connect', connectLines(report, columns - LABEL_WIDTH - 2)],
  ];
  const lines = rows.flatMap(([label, texts]) =>
    texts.map((text, index) => `  ${paint.dim(padToWidth(index === 0 ? label : '', LABEL_WIDTH))}${text}`),
  );
  const headline = `${paint.bold('Repertoire')} ${paint.dim(report.version)}  serving on ${paint.bold(report.url)}`;
  return `${[headline, '', ...lines, '', paint.dim('Ctrl-C stops it.')].join('\n')}\n`;
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
  return `${place} · ${paint.yellow('not available')}: ${toOneLine(store.reason)}. Documents are served all the same.`;
}

function accessText(
  { authentication, isTokenOfVariable, agentAdd, needsDatabaseUrl }: ServeReport,
  { paint }: Layout,
): string {
  if (authentication === 'off') return paint.yellow('whoever can reach this address may do everything (--no-auth)');
  const beside = needsDatabaseUrl ? ' with the same DATABASE_URL' : '';
  const yours = isTokenOfVariable ? 'that of REPERTOIRE_OPERATOR_TOKEN' : 'in the link above';
  return `with a token: yours is ${yours}, \`${toOneLine(agentAdd)}\`${beside} makes one for an agent`;
}

/** To be pasted: what is too long is broken as a shell reads it. */
function connectLines({ authentication, connect }: ServeReport, width: number): readonly string[] {
  const line = toOneLine(connect);
  const lines = displayWidth(line) <= width ? [line] : line.replace(' --http ', ' \\\n  --http ').split('\n');
  return authentication === 'off' ? lines : [...lines, 'with a token in the variable REPERTOIRE_TOKEN'];
}
