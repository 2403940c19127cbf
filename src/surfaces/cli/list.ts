// `repertoire list`: every skill that is served, and every document without a name, one line each.
import type { Skill } from '../../catalog/view/skill.ts';
import { compareNamed } from '../../document/names.ts';
import type { RegisteredSkill } from '../../skills/define/registered-skill.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine } from './hint-line.ts';
import { openCatalogOnce } from './open-catalog-once.ts';
import { problemJson, skillJson, unnamedJson } from './report-json.ts';
import { type Layout, type Output, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';
import { joinCells, layTable, tabLines, widest } from './terminal/table.ts';
import { cutToWidth } from './terminal/text-layout.ts';
import { type TypedDefinitions, withTypedDefinitions } from './typed-definitions.ts';

export const run = (context: CommandContext): Promise<ExitCode> =>
  withTypedDefinitions(context, (typed, own) => list(own, typed));

async function list(context: CommandContext, typed: TypedDefinitions): Promise<ExitCode> {
  const { output, errors } = context;
  const catalog = await openCatalogOnce(context);
  const { skills, unnamed, problems } = catalog.current;
  catalog.close();
  if (context.flags.has('json')) {
    output.write(
      toJsonText({
        skills: skills.map(skillJson),
        by_folder: unnamed.map(unnamedJson),
        ...(typed.runtime === undefined ? {} : { typed_skills: typed.skills.map(typedJson) }),
        problems: problems.map(problemJson),
      }),
    );
    return 0;
  }
  const rows = [...[...skills, ...unnamed].sort(compareNamed), ...typed.skills.map(typedRow)];
  output.write(skillLines(rows, output));
  const doctor = `\`${hintLine(context, ['doctor'])}\``;
  if (rows.length === 0) saySentence(errors, `No skills found: ${doctor} shows where it looked`);
  else if (problems.length > 0 && errors.isTerminal) {
    saySentence(
      errors,
      `${counted(problems.length, 'problem')}: ${doctor} explains ${problems.length === 1 ? 'it' : 'them'}`,
    );
  }
  return 0;
}

type Row = Pick<Skill, 'name' | 'description' | 'source' | 'availability'> & Partial<Pick<Skill, 'isUnnamed'>>;

/** Between columns. */
const GAP = 2;

/** In the place of a folder. */
const TYPED = 'typed';

const sourceOf = ({ source }: Row): string => source;

export const typedRow = ({ name, description }: RegisteredSkill): Row => ({
  name,
  description,
  source: TYPED,
  availability: 'available',
});

const typedJson = ({ name, description, category, access }: RegisteredSkill) => ({
  name,
  description,
  category,
  assigned_to: access.assignedTo,
});

export const skillLines = (skills: readonly Row[], output: Output): string =>
  output.isTerminal ? renderTable(skills, output) : renderLines(skills);

/** For programs: name, description, source. */
export const renderLines = (skills: readonly Row[]): string =>
  tabLines(
    skills.map(({ name, description, source }) => [name, cutToWidth(toOneLine(description), 200), source] as const),
  );

/** For people: three columns in the terminal's width. */
export function renderTable(skills: readonly Row[], { paint, columns }: Layout): string {
  const nameOf = ({ name, availability, isUnnamed }: Row) =>
    name + (isUnnamed ? ' (folder)' : '') + (availability === 'fallback' ? ' (old text)' : '');
  // Names are typed again: they are cut last.
  const nameWidth = widthOf(skills.map(nameOf), columns / 2);
  // What is the same in every line tells nothing.
  const hasSources = skills.some(({ source }) => source !== TYPED);
  const sourceWidth = hasSources ? widthOf(skills.map(sourceOf), columns / 4) + GAP : 0;
  const middle = Math.max(10, columns - nameWidth - GAP - sourceWidth);
  const { rows } = layTable(skills, [
    { text: nameOf, most: nameWidth, paint: paint.bold },
    { text: ({ description }) => description, least: middle, most: middle },
    ...(hasSources
      ? [{ text: sourceOf, most: sourceWidth - GAP, paint: (text: string) => paint.dim(text.trimEnd()) }]
      : []),
  ]);
  return rows.map((cells) => `${joinCells(cells)}\n`).join('');
}

const widthOf = (texts: readonly string[], most: number): number =>
  Math.min(widest(texts.map((text) => toOneLine(text))), Math.floor(most));
