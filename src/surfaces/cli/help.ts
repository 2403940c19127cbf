// The help, made from the tables of commands and options. Loaded only when it is asked for. Pure.

import type { Command } from './command.ts';
import { type Commands, statusCommand } from './commands.ts';
import { catalogOptions, commonOptions, type OptionName, optionSpec, optionText, storeOptions } from './options.ts';
import type { Layout } from './terminal/output.ts';
import { hangingText, padToWidth, wrapText } from './terminal/text-layout.ts';

export interface HelpRequest {
  /** The command to explain; absent: all of them. */
  readonly topic: string | undefined;
  readonly commands: Commands;
  /** How the program is called here: `repertoire`, or node with its path. */
  readonly program: string;
}

export function renderHelp({ topic, commands, program }: HelpRequest, layout: Layout): string {
  const command = topic === undefined ? undefined : commands.get(topic);
  const lines =
    topic === undefined || command === undefined ? overview(commands, layout) : about(topic, command, layout);
  return `${[...lines, ...calledLines(program, layout)].join('\n')}\n`;
}

/** By what one wants to do; what has no place in it stands last. */
const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Start', ['connect', 'mcp', 'serve', 'doctor']],
  ['Skills', ['list', 'show', 'search', 'new', 'check', 'upkeep']],
  ['Skills from elsewhere', ['add', 'remove', 'update', 'sources', 'sync']],
  ['The library', ['publish', 'export', 'review']],
  ['Typed skills', ['invoke', 'runs', 'schedules']],
  ['What happened', ['log', 'stats', 'trail']],
  ['Who may call', ['agent', 'user', 'token']],
];

function overview(commands: Commands, layout: Layout): readonly string[] {
  const { columns, paint } = layout;
  const { bold, dim } = paint;
  return [
    ...wrapText('Serves every skill you have to every agent you use.', columns),
    '',
    ...hangingText(`${bold('Usage')}  `, 'repertoire [COMMAND] [OPTIONS]', columns),
    ...hangingText('       ', 'Without a command: what was found, what is broken and what to do next.', columns),
    ...commandGroups(commands).flatMap(([title, names]) => ['', bold(title), ...commandRows(names, commands, layout)]),
    '',
    ...optionSection('Options without a command', [...statusCommand.options, ...commonOptions], undefined, layout),
    '',
    bold('Example'),
    '  repertoire list --root ./skills',
    '',
    ...wrapText('`repertoire COMMAND --help` explains a command and its options.', columns).map(dim),
    ...wrapText('Exit codes: 0 done, 1 problem found or failure, 2 wrong usage.', columns).map(dim),
  ];
}

function commandGroups(commands: Commands): readonly (readonly [string, readonly string[]])[] {
  const placed = new Set(GROUPS.flatMap(([, names]) => names));
  const others = [...commands.keys()].filter((name) => !placed.has(name));
  return others.length === 0 ? GROUPS : [...GROUPS, ['Others', others]];
}

/** All groups are aligned with each other. */
function commandRows(names: readonly string[], commands: Commands, { columns }: Layout): readonly string[] {
  const width = Math.max(...[...commands.keys()].map((name) => name.length));
  return names.flatMap((name) => {
    const summary = commands.get(name)?.summary;
    return summary === undefined ? [] : hangingText(`  ${padToWidth(name, width)}  `, briefOf(summary), columns);
  });
}

/** Its first thought; the help of the command has the rest. */
const briefOf = (summary: string): string => summary.replace(/(?:[;:]|\.) .*$/, '').replace(/\.$/, '');

function about(name: string, command: Command, layout: Layout): readonly string[] {
  const { bold } = layout.paint;
  const usage = ['repertoire', name, ...command.operands, '[OPTIONS]'].join(' ');
  return [
    ...wrapText(command.summary, layout.columns),
    '',
    ...hangingText(`${bold('Usage')}  `, usage, layout.columns),
    '',
    bold('Example'),
    `  repertoire ${command.example}`,
    ...optionGroups(command.options).flatMap(([title, names]) => ['', ...optionSection(title, names, name, layout)]),
  ];
}

/** First what only this command is about, then what it shares with others. */
function optionGroups(options: readonly OptionName[]): readonly (readonly [string, readonly OptionName[]])[] {
  const shared = [...catalogOptions, ...storeOptions];
  const groups = [
    ['Options', options.filter((name) => !shared.includes(name))],
    ['Skill folders', catalogOptions.filter((name) => options.includes(name))],
    ['Storage', storeOptions.filter((name) => options.includes(name))],
    ['Global options', commonOptions],
  ] as const;
  return groups.filter(([, names]) => names.length > 0);
}

function optionSection(
  title: string,
  names: readonly OptionName[],
  command: string | undefined,
  layout: Layout,
): readonly string[] {
  const entries = names.map((name) => {
    const { short, value } = optionSpec(name);
    return [`${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`, optionText(name, command)] as const;
  });
  return [layout.paint.bold(title), ...rows(entries, layout)];
}

/** Of the width, what stands on the left may take so much; what is longer has a line of its own. */
const LEFT_SHARE = 0.4;

function rows(entries: readonly (readonly [string, string])[], { columns }: Layout): readonly string[] {
  const most = Math.floor(columns * LEFT_SHARE);
  const width = Math.min(most, Math.max(...entries.map(([left]) => left.length)));
  return entries.flatMap(([left, right]) => {
    const isBeside = left.length <= width;
    const first = isBeside ? `  ${padToWidth(left, width)}  ` : ' '.repeat(width + 4);
    return [...(isBeside ? [] : [`  ${left}`]), ...hangingText(first, right, columns)];
  });
}

/** Where `repertoire` is no command, what does work. */
const calledLines = (program: string, { paint, columns }: Layout): readonly string[] =>
  program === 'repertoire' ? [] : ['', ...wrapText(`Here, repertoire is: \`${program}\``, columns).map(paint.dim)];
