// `repertoire list`: every skill that is served, one line each.
import type { Skill } from '../catalog/skill.ts';
import { toOneLine } from '../document/one-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { toJsonText } from './json-output.ts';
import { openOnce } from './open-once.ts';
import type { Layout } from './problem-lines.ts';
import { problemJson, skillJson } from './report-json.ts';
import { counted, cutToWidth, displayWidth, padToWidth } from './text-layout.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const { output, errors } = context;
  const catalog = await openOnce(context);
  const { skills, problems } = catalog.current;
  catalog.close();
  if (context.flags.has('json')) {
    output.write(toJsonText({ skills: skills.map(skillJson), problems: problems.map(problemJson) }));
    return 0;
  }
  output.write(output.isTerminal ? renderTable(skills, output) : renderLines(skills));
  if (skills.length === 0) errors.write('No skills: repertoire doctor says where it looked\n');
  else if (problems.length > 0 && errors.isTerminal) {
    errors.write(errors.paint.dim(`${counted(problems.length, 'problem')}: repertoire doctor\n`));
  }
  return 0;
}

/** For programs: name, description, source, separated by tabs, which none of the three can hold. */
export function renderLines(skills: readonly Skill[]): string {
  return skills
    .map(({ name, description, source }) =>
      [toOneLine(name), cutToWidth(toOneLine(description), 200), toOneLine(source)].join('\t').concat('\n'),
    )
    .join('');
}

/** For people: three columns in the terminal's width. */
export function renderTable(skills: readonly Skill[], { paint, columns }: Layout): string {
  const rows = skills.map(({ name, description, source, availability }) => ({
    name: toOneLine(name) + (availability === 'fallback' ? ' (old text)' : ''),
    description: toOneLine(description),
    source: toOneLine(source),
  }));
  const nameWidth = widest(
    rows.map((row) => row.name),
    Math.floor(columns / 3),
  );
  const sourceWidth = widest(
    rows.map((row) => row.source),
    Math.floor(columns / 4),
  );
  const middle = Math.max(10, columns - nameWidth - sourceWidth - 4);
  const cell = (text: string, width: number) => padToWidth(cutToWidth(text, width), width);
  return rows
    .map((row) =>
      [
        paint.bold(cell(row.name, nameWidth)),
        cell(row.description, middle),
        paint.dim(cutToWidth(row.source, sourceWidth)),
      ]
        .join('  ')
        .concat('\n'),
    )
    .join('');
}

function widest(texts: readonly string[], limit: number): number {
  let width = 0;
  for (const text of texts) width = Math.max(width, displayWidth(text));
  return Math.min(width, limit);
}
