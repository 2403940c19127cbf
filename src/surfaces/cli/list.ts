// `repertoire list`: every skill that is served, one line each.

import type { Skill } from '../../catalog/view/skill.ts';
import type { RegisteredSkill } from '../../skills/define/registered-skill.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { type ListedTyped, withListedTyped } from './listed-typed.ts';
import { openOnce } from './open-once.ts';
import { problemJson, skillJson } from './report-json.ts';
import { toJsonText } from './terminal/json-output.ts';
import type { Layout } from './terminal/output.ts';
import { cutToWidth, displayWidth, padToWidth } from './terminal/text-layout.ts';

export const run = (context: CommandContext): Promise<ExitCode> =>
  withListedTyped<ExitCode>(context, (typed, own) => list(own, typed));

async function list(context: CommandContext, typed: ListedTyped): Promise<ExitCode> {
  const { output, errors } = context;
  const catalog = await openOnce(context);
  const { skills, problems } = catalog.current;
  catalog.close();
  if (context.flags.has('json')) {
    output.write(
      toJsonText({
        skills: skills.map(skillJson),
        ...(typed.runtime === undefined ? {} : { typed_skills: typed.skills.map(typedJson) }),
        problems: problems.map(problemJson),
      }),
    );
    return 0;
  }
  const rows = [...skills, ...typed.skills.map(typedRow)];
  output.write(output.isTerminal ? renderTable(rows, output) : renderLines(rows));
  if (rows.length === 0) errors.write('No skills: repertoire doctor says where it looked\n');
  else if (problems.length > 0 && errors.isTerminal) {
    errors.write(errors.paint.dim(`${counted(problems.length, 'problem')}: repertoire doctor\n`));
  }
  return 0;
}

type Row = Pick<Skill, 'name' | 'description' | 'source' | 'availability'>;

export const typedRow = ({ name, description }: RegisteredSkill): Row => ({
  name,
  description,
  source: 'typed',
  availability: 'available',
});

const typedJson = ({ name, description, category, access }: RegisteredSkill) => ({
  name,
  description,
  category,
  assigned_to: access.assignedTo,
});

/** For programs: name, description, source, separated by tabs, which none of the three can hold. */
export function renderLines(skills: readonly Row[]): string {
  return skills
    .map(({ name, description, source }) =>
      [toOneLine(name), cutToWidth(toOneLine(description), 200), toOneLine(source)].join('\t').concat('\n'),
    )
    .join('');
}

/** For people: three columns in the terminal's width. */
export function renderTable(skills: readonly Row[], { paint, columns }: Layout): string {
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
