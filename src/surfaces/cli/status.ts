// `repertoire` alone: what was found where, what is broken, which hosts are here, what to type next.
import { sep } from 'node:path';
import type { Problem } from '../../catalog/view/skill.ts';
import { machineWith } from '../../hosts/connect/config-file.ts';
import { surveyHosts } from '../../hosts/connect/survey-hosts.ts';
import type { Environment } from '../../settings/config.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { toShellLine } from '../../text/shell-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine } from './hint-line.ts';
import { openCatalogOnce } from './open-catalog-once.ts';
import { problemLines } from './problem-lines.ts';
import { problemJson, type RootJson, rootJson } from './report-json.ts';
import { createDoctorLine, createServerCommand, givenIn } from './server-command.ts';
import type { Layout } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';
import { joinCells, layTable } from './terminal/table.ts';
import { displayWidth, hangingText, joinSections } from './terminal/text-layout.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const { settings, environment, version, output } = context;
  const catalog = await openCatalogOnce(context);
  const { skills, problems } = catalog.current;
  const roots = catalog.roots.map(rootJson);
  catalog.close();
  const report: StatusReport = {
    version,
    skill_count: skills.length,
    roots,
    problems,
    hosts: await findHostsHere(environment),
    server_command: createServerCommand(context.program(), settings, { ...givenIn(context), typed: undefined }),
  };
  const hints = {
    givenRoots: settings.rootRequest.given,
    program: toShellLine(context.program()),
    doctor: createDoctorLine(context),
    make: hintLine(context, ['new', 'my-first-skill']),
    hasProjectSkills: skills.some((skill) => skill.isOfProject),
  };
  const json = () => toJsonText({ ...report, problems: problems.map(problemJson) });
  output.write(context.flags.has('json') ? json() : renderStatus(report, hints, output));
  return 0;
}

async function findHostsHere(environment: Environment): Promise<StatusReport['hosts']> {
  const { home, workingDirectory } = environment;
  const rows = await surveyHosts('user', workingDirectory, machineWith(environment));
  const here = rows.filter(({ isHere }) => isHere);
  return here.map(({ host, folder, isConnected }) => ({
    id: host.id,
    name: host.title,
    folder: folder.startsWith(home + sep) ? `~${folder.slice(home.length)}` : folder,
    connected: isConnected,
  }));
}

/** What --json prints, with whole problems. */
export interface StatusReport {
  readonly version: string;
  readonly skill_count: number;
  readonly roots: readonly RootJson[];
  readonly problems: readonly Problem[];
  /** Best known first: the first one that is not connected is the example in the next command. */
  readonly hosts: readonly {
    readonly id: string;
    readonly name: string;
    readonly folder: string;
    /** It has this server in its configuration. */
    readonly connected: boolean;
  }[];
  /** The words that start the server with the same roots from anywhere. */
  readonly server_command: readonly string[];
}

/** What only the screen says. */
export interface StatusHints {
  /** Labels of the roots that were asked for: a missing one is worth a word. */
  readonly givenRoots: readonly string[];
  /** How this program is called here: `repertoire`, or node with its path. */
  readonly program: string;
  /** The command that tells more about the same folders. */
  readonly doctor: string;
  /** The command that makes a skill in one of them. */
  readonly make: string;
  /** Some come from the folders of the project: a host that starts elsewhere does not see those. */
  readonly hasProjectSkills: boolean;
}

/** More would push what comes after it off the screen. */
const problemsShown = 10;

export function renderStatus(report: StatusReport, hints: StatusHints, layout: Layout): string {
  return joinSections([
    [headline(report, layout)],
    report.skill_count === 0 ? noSkillLines(report, hints, layout) : rootLines(report, hints, layout),
    problemSection(report, hints, layout),
    hostLines(report, layout),
    nextLines(report, hints, layout),
  ]);
}

function headline({ version, skill_count, roots, problems }: StatusReport, { paint }: Layout): string {
  const folders = roots.filter((root) => root.skills > 0).length;
  const from = skill_count > 0 ? ` in ${counted(folders, 'folder')}` : '';
  const trouble =
    problems.length === 0 ? paint.green('no problems') : paint.yellow(counted(problems.length, 'problem'));
  return `${paint.bold('Repertoire')} ${paint.dim(version)}  ${counted(skill_count, 'skill')}${from} · ${trouble}`;
}

const WIDEST_LABEL = 40;

/** The path stands beside its label where there is room for it and it says more. */
function rootLines(
  { roots }: StatusReport,
  { givenRoots, doctor }: StatusHints,
  { paint, columns }: Layout,
): readonly string[] {
  const present = roots.filter(({ label, state }) => state !== 'missing' || givenRoots.includes(label));
  const missing = roots.length - present.length;
  const { rows } = layTable(present, [
    { text: ({ label }) => label, most: WIDEST_LABEL },
    { text: ({ state, skills }) => (state === 'found' ? counted(skills, 'skill') : state) },
  ]);
  const lines = present.map(({ label, path, state }, index) => {
    const left = `  ${(rows[index] ?? []).join('  ')}`;
    const isShown = path !== label && displayWidth(left) + 2 + displayWidth(toOneLine(path)) <= columns;
    return (state === 'found' ? left : paint.yellow(left)) + (isShown ? `  ${paint.dim(toOneLine(path))}` : '');
  });
  const rest = `${counted(missing, 'other folder is', 'other folders are')} not there: \`${toOneLine(doctor)}\` lists every folder`;
  return [paint.bold('Skills'), ...lines, ...(missing === 0 ? [] : hangingText('  ', rest, columns).map(paint.dim))];
}

function noSkillLines({ roots, problems }: StatusReport, { make }: StatusHints, layout: Layout): readonly string[] {
  const { paint } = layout;
  const { rows } = layTable(roots, [
    { text: ({ path }) => path },
    { text: (root) => emptyState(root, problems), paint: (text) => paint.dim(text.trimEnd()) },
  ]);
  // With broken skills around, to fix one is nearer than to make one.
  const first = problems.length > 0 ? [] : ['', ...firstSkillLines(make, layout)];
  return [paint.bold('No skills yet. Looked in'), ...rows.map((cells) => `  ${joinCells(cells)}`), ...first];
}

function emptyState({ path, state }: RootJson, problems: readonly Problem[]): string {
  if (state !== 'found') return state;
  return problems.some(({ rootPath }) => rootPath === path) ? 'only problems' : 'empty';
}

const firstSkillLines = (make: string, { paint, columns }: Layout): readonly string[] => [
  paint.bold('Create the first one'),
  `  ${paint.cyan(toOneLine(make))}`,
  ...hangingText('  ', 'It creates a skill from a template and shows the next steps.', columns).map(paint.dim),
];

function problemSection({ problems }: StatusReport, { doctor }: StatusHints, layout: Layout): readonly string[] {
  if (problems.length === 0) return [];
  const more = problems.length - problemsShown;
  return [
    layout.paint.bold('Problems'),
    ...problemLines(problems, problemsShown, layout),
    ...(more > 0
      ? hangingText('  ', `… and ${counted(more, 'more', 'more')}: \`${toOneLine(doctor)}\``, layout.columns)
      : []),
  ];
}

function hostLines({ hosts }: StatusReport, { paint }: Layout): readonly string[] {
  if (hosts.length === 0) return [];
  const { rows } = layTable(hosts, [
    { text: ({ name }) => name },
    { text: ({ folder }) => folder, paint: (text) => paint.dim(text.trimEnd()) },
  ]);
  return [
    paint.bold('Hosts on this machine'),
    ...hosts.map(({ connected }, index) => {
      return `  ${joinCells(rows[index] ?? [])}${connected ? `  ${paint.green('connected')}` : ''}`;
    }),
  ];
}

/** All that are here have the server. */
const readLines = (program: string, { paint, columns }: Layout): readonly string[] => [
  paint.bold('Next: see what your agents read'),
  `  ${paint.cyan(`${toOneLine(program)} log --loads`)}`,
  ...hangingText('  ', `\`${toOneLine(program)} connect HOST\` connects another host`, columns).map(paint.dim),
];

const PROJECT_HINT = 'Started in another folder, it sees the skills in ./… only with --project DIR';

function nextLines(report: StatusReport, hints: StatusHints, layout: Layout): readonly string[] {
  const { paint, columns } = layout;
  const { hosts, server_command, skill_count } = report;
  const host = hosts.find(({ connected }) => !connected);
  if (host === undefined && hosts.length > 0) return readLines(hints.program, layout);
  const [command = 'repertoire', ...args] = server_command;
  const entry = JSON.stringify({ mcpServers: { repertoire: { command, args } } });
  const options = args.slice(args.indexOf('mcp') + 1);
  const connect = `${hints.program} connect ${host?.id}${options.length > 0 ? ` ${toShellLine(options)}` : ''}`;
  return [
    paint.bold(skill_count > 0 ? 'Next: give these skills to an agent' : 'Then give your skills to an agent'),
    ...(host ? [`  ${paint.cyan(toOneLine(connect))}`] : []),
    paint.dim(host ? '  or add this to the MCP settings of any host:' : '  Add this to the MCP settings of any host:'),
    `  ${paint.cyan(toOneLine(entry))}`,
    ...(hints.hasProjectSkills && !server_command.includes('--project')
      ? hangingText('  ', PROJECT_HINT, columns).map(paint.dim)
      : []),
  ];
}
