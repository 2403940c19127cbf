// The help, made from the tables of commands and options. Loaded only when it is asked for. Pure.

import type { Command } from './command.ts';
import { type Commands, statusCommand } from './commands.ts';
import { commonOptions, type OptionName, optionSpec } from './options.ts';
import type { Layout } from './terminal/output.ts';
import { hangingText } from './terminal/text-layout.ts';

export function renderHelp(topic: string | undefined, commands: Commands, layout: Layout): string {
  const command = topic === undefined ? undefined : commands.get(topic);
  const lines =
    topic === undefined || command === undefined ? overview(commands, layout) : about(topic, command, layout);
  return `${lines.join('\n')}\n`;
}

function overview(commands: Commands, layout: Layout): readonly string[] {
  const { bold, dim } = layout.paint;
  const entries = [...commands].map(
    ([name, { operands, summary }]) => [[name, ...operands].join(' '), summary] as const,
  );
  return [
    'Serves every skill you have to every agent you use.',
    '',
    `${bold('Usage')}  repertoire [COMMAND] [OPTIONS]`,
    '',
    bold('Commands'),
    ...rows([['(none)', statusCommand.summary], ...entries], layout),
    '',
    ...optionLines(statusCommand.options, layout),
    '',
    bold('Example'),
    '  repertoire list --root ./skills',
    '',
    dim('repertoire COMMAND --help says more.'),
    ...hangingText('', 'Exit codes: 0 done, 1 problem found or failure, 2 wrong usage.', layout.columns).map(dim),
  ];
}

function about(name: string, command: Command, layout: Layout): readonly string[] {
  const { bold } = layout.paint;
  return [
    ...hangingText('', command.summary, layout.columns),
    '',
    `${bold('Usage')}  ${['repertoire', name, ...command.operands, '[OPTIONS]'].join(' ')}`,
    '',
    ...optionLines(command.options, layout),
    '',
    bold('Example'),
    `  repertoire ${command.example}`,
  ];
}

function optionLines(names: readonly OptionName[], layout: Layout): readonly string[] {
  const entries = [...names, ...commonOptions].map((name) => {
    const { short, value, text } = optionSpec(name);
    return [`${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`, text] as const;
  });
  return [layout.paint.bold('Options'), ...rows(entries, layout)];
}

function rows(entries: readonly (readonly [string, string])[], { columns }: Layout): readonly string[] {
  const width = Math.max(...entries.map(([left]) => left.length));
  return entries.flatMap(([left, right]) => hangingText(`  ${left.padEnd(width)}  `, right, columns));
}
