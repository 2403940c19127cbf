// The status screen. Pure: a report in, text out; readable at 80 columns and wider.

import type { RootStatus } from '../../catalog/catalog.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { problemLines } from './problem-lines.ts';
import { toShellLine } from './program-command.ts';
import type { StatusReport } from './status-report.ts';
import type { Layout } from './terminal/output.ts';
import { cutToWidth, displayWidth, padToWidth } from './terminal/text-layout.ts';

/** More would push what comes after it off the screen. */
const problemsShown = 10;

export function renderStatus(report: StatusReport, layout: Layout): string {
  const sections = [
    headline(report, layout),
    report.skillCount === 0 ? noSkillLines(report, layout) : rootLines(report, layout),
    problemSection(report, layout),
    hostLines(report, layout),
    nextLines(report, layout),
  ];
  const filled = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${filled.join('\n\n')}\n`;
}

function headline({ version, skillCount, roots, problems }: StatusReport, { paint }: Layout): readonly string[] {
  const folders = roots.filter((root) => root.skills > 0).length;
  const from = skillCount > 0 ? ` in ${counted(folders, 'folder')}` : '';
  const trouble =
    problems.length === 0 ? paint.green('no problems') : paint.yellow(counted(problems.length, 'problem'));
  return [`${paint.bold('Repertoire')} ${paint.dim(version)}  ${counted(skillCount, 'skill')}${from} · ${trouble}`];
}

function rootLines({ roots, givenRoots, doctor }: StatusReport, { paint, columns }: Layout): readonly string[] {
  const present = roots.filter(({ root, state }) => state !== 'missing' || givenRoots.includes(root.label));
  const missing = roots.length - present.length;
  const labels = present.map(({ root }) => toOneLine(root.label));
  const counts = present.map((root) => (root.state === 'found' ? counted(root.skills, 'skill') : root.state));
  const labelWidth = Math.min(40, Math.max(...labels.map(displayWidth)));
  const countWidth = Math.max(...counts.map(displayWidth));
  const lines = present.map(({ root, state }, index) => {
    const left = `  ${padToWidth(cutToWidth(labels[index] ?? '', labelWidth), labelWidth)}  ${padToWidth(counts[index] ?? '', countWidth)}`;
    const path = toOneLine(root.path);
    const room = columns - displayWidth(left) - 2;
    const right = path === labels[index] || displayWidth(path) > room ? '' : `  ${paint.dim(path)}`;
    return (state === 'found' ? left : paint.yellow(left)) + right;
  });
  const rest =
    missing === 0
      ? []
      : [paint.dim(`  ${counted(missing, 'other folder')} looked for, not there: ${toOneLine(doctor)}`)];
  return [paint.bold('Skills'), ...lines, ...rest];
}

function noSkillLines({ roots, problems }: StatusReport, { paint }: Layout): readonly string[] {
  const width = Math.max(...roots.map(({ root }) => displayWidth(toOneLine(root.path))));
  const looked = roots.map(({ root, state }) => {
    const found = problems.some((problem) => problem.rootPath === root.path) ? 'only problems' : 'empty';
    return `  ${padToWidth(toOneLine(root.path), width)}  ${paint.dim(state === 'found' ? found : state)}`;
  });
  // With broken skills around, mending one is nearer than making one.
  const first = problems.length > 0 ? [] : ['', ...firstSkillLines(roots, paint)];
  return [paint.bold('No skills yet. Looked in'), ...looked, ...first];
}

function firstSkillLines(roots: readonly RootStatus[], paint: Layout['paint']): readonly string[] {
  const folder = toOneLine((roots.find((root) => root.state === 'found') ?? roots[0])?.root.path ?? '.agents/skills');
  return [
    paint.bold('Make the first one'),
    `  ${folder}/my-first-skill/SKILL.md`,
    '',
    paint.dim('    ---'),
    '    name: my-first-skill',
    '    description: Says what it does and when to use it.',
    paint.dim('    ---'),
    '    Write here what an agent should know, step by step.',
  ];
}

function problemSection({ problems, doctor }: StatusReport, layout: Layout): readonly string[] {
  if (problems.length === 0) return [];
  const more = problems.length - problemsShown;
  return [
    layout.paint.bold('Problems'),
    ...problemLines(problems, problemsShown, layout),
    ...(more > 0 ? [`  … and ${counted(more, 'more', 'more')}: ${toOneLine(doctor)}`] : []),
  ];
}

function hostLines({ hosts, connected }: StatusReport, { paint }: Layout): readonly string[] {
  if (hosts.length === 0) return [];
  const width = Math.max(...hosts.map((host) => host.name.length));
  return [
    paint.bold('Agents on this machine'),
    ...hosts.map(({ id, name, folder }) => {
      const mark = connected.includes(id) ? `  ${paint.green('connected')}` : '';
      return `  ${name.padEnd(width)}  ${paint.dim(`~/${folder}`)}${mark}`;
    }),
  ];
}

/** All that are here have the server. */
const readLines = (program: string, paint: Layout['paint']): readonly string[] => [
  paint.bold('Next: see what your agents read'),
  `  ${paint.cyan(`${toOneLine(program)} log --loads`)}`,
  paint.dim(`  ${toOneLine(program)} connect HOST connects another host`),
];

const PROJECT_HINT = 'Started in another folder it sees the skills in ./… only with --project DIR';

function nextLines(report: StatusReport, { paint }: Layout): readonly string[] {
  const { hosts, connected, program, serverCommand, skillCount, hasProjectSkills } = report;
  const host = hosts.find(({ id }) => !connected.includes(id));
  if (host === undefined && connected.length > 0) return readLines(program, paint);
  const [command = 'repertoire', ...args] = serverCommand;
  const entry = JSON.stringify({ mcpServers: { repertoire: { command, args } } });
  const options = args.slice(args.indexOf('mcp') + 1);
  const connect = `${toOneLine(program)} connect ${host?.id}${options.length > 0 ? ` ${toOneLine(toShellLine(options))}` : ''}`;
  return [
    paint.bold(skillCount > 0 ? 'Next: give these skills to an agent' : 'Then give your skills to an agent'),
    ...(host ? [`  ${paint.cyan(connect)}`] : []),
    paint.dim(host ? '  or another host; or in the MCP settings of any host:' : '  In the MCP settings of any host:'),
    `  ${paint.cyan(toOneLine(entry))}`,
    ...(hasProjectSkills && !serverCommand.includes('--project') ? [paint.dim(`  ${PROJECT_HINT}`)] : []),
  ];
}
