// `repertoire show NAME`: one skill's SKILL.md, exact bytes into a pipe, made harmless for a terminal; or a typed skill's definition.

import type { Catalog } from '../../catalog/catalog.ts';
import { contentOf, type Problem, type Skill } from '../../catalog/view/skill.ts';
import type { Snapshot } from '../../catalog/view/snapshot.ts';
import { isSkillAddress } from '../../document/names.ts';
import type { Durability, RegisteredSkill } from '../../skills/define/registered-skill.ts';
import { counted } from '../../text/counted.ts';
import { findNearest, orList } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { inOwnWords } from './hint-line.ts';
import { inspectSkill, type LocatedFinding } from './inspect-skill.ts';
import { openCatalogOnce } from './open-catalog-once.ts';
import { problemJson, skillJson } from './report-json.ts';
import { schemaLines } from './schema-lines.ts';
import { exitSaying, type Layout } from './terminal/output.ts';
import { toJsonText, toVisibleText } from './terminal/safe-text.ts';
import { breakCells, labelledLines } from './terminal/table.ts';
import { hangingText, wrapText } from './terminal/text-layout.ts';
import { type TypedDefinitions, withTypedDefinitions } from './typed-definitions.ts';

export const run = (context: CommandContext): Promise<ExitCode> =>
  withTypedDefinitions(context, (typed, own) => show(own, typed));

async function show(context: CommandContext, typed: TypedDefinitions): Promise<ExitCode> {
  const { operands, flags, output, errors } = context;
  const catalog = await openCatalogOnce(context);
  try {
    const found = findSkill(operands[0] ?? '', catalog.current);
    if (!found.ok) {
      const definition = typed.runtime?.find(operands[0] ?? '');
      if (definition !== undefined) return await showDefinition(definition, context);
      return exitSaying(context, (await explainBuiltin(operands[0] ?? '')) ?? inOwnWords(context, found.failure), 1);
    }
    const skill = found.value;
    if (flags.has('json')) output.write(toJsonText(await showJson(skill, catalog)));
    else {
      if (errors.isTerminal) errors.write(renderHeader(await describe(skill, catalog), errors));
      output.write(output.isTerminal ? endWithNewline(toVisibleText(contentOf(skill))) : skill.bytes);
    }
    return 0;
  } finally {
    catalog.close();
  }
}

/** A typed skill that this command was not asked to look at. Loaded here: few ask for one. */
async function explainBuiltin(wanted: string): Promise<string | undefined> {
  const { ALL_BUILTIN_NAMES } = await import('../../builtin/builtin-names.ts');
  if (!ALL_BUILTIN_NAMES.includes(wanted)) return undefined;
  return `No document skill is named "${wanted}": it is a built-in typed skill; add --builtin all to see it`;
}

export interface SkillDescription {
  readonly skill: Skill;
  readonly fileCount: number;
  readonly problems: readonly Problem[];
  readonly findings: readonly LocatedFinding[];
}

async function describe(skill: Skill, catalog: Catalog): Promise<SkillDescription> {
  return {
    skill,
    fileCount: catalog.manifestOf(skill).files.length,
    problems: problemsOf(skill, catalog),
    findings: await inspectSkill(skill, catalog),
  };
}

function problemsOf({ baseDirectory }: Skill, catalog: Catalog): readonly Problem[] {
  return catalog.current.problems.filter(({ rootPath, path }) => `${rootPath}/${path}`.startsWith(`${baseDirectory}/`));
}

async function showJson(skill: Skill, catalog: Catalog): Promise<unknown> {
  const { problems, findings } = await describe(skill, catalog);
  return {
    ...skillJson(skill),
    ...(skill.isUnnamed && { name: null, folder: skill.name }),
    base_directory: skill.baseDirectory,
    file_path: skill.filePath,
    last_loaded: skill.lastLoaded.toISOString(),
    frontmatter: skill.frontmatter,
    content: contentOf(skill),
    files: catalog.manifestOf(skill).files.map(({ path, uri, digest, size, mimeType }) => ({
      path,
      uri,
      digest,
      size,
      media_type: mimeType,
    })),
    problems: problems.map(problemJson),
    findings,
  };
}

export function renderHeader(
  { skill, fileCount, problems, findings }: SkillDescription,
  { paint, columns }: Layout,
): string {
  const facts = [toOneLine(skill.source), toOneLine(skill.baseDirectory), counted(fileCount, 'file')];
  const remarks = [
    ...(skill.availability === 'fallback' ? ['the file is broken: this is its last good text'] : []),
    ...problems.map(({ rule, message }) => `${rule}: ${message}`),
    ...findings.map(({ path, line, rule, message }) => `${path}:${line} ${rule}: ${message}`),
  ];
  return [
    ...breakCells(
      [paint.bold(toOneLine(skill.name)), ...wrapText(facts.join(' · '), columns).map(paint.dim)],
      columns,
      0,
    ),
    ...remarks.flatMap((remark) => hangingText('▲ ', toOneLine(remark), columns)).map(paint.yellow),
    '',
    '',
  ].join('\n');
}

const endWithNewline = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

type Served = Pick<Snapshot, 'skills' | 'unnamed' | 'problems' | 'findByName' | 'findByUri' | 'findFolder'>;

export function findSkill(wanted: string, snapshot: Served): Result<Skill, string> {
  const skill = isSkillAddress(wanted) ? snapshot.findByUri(wanted.trim()) : findNamed(wanted, snapshot);
  return skill ? ok(skill) : fail(toOneLine(explainAbsence(wanted, snapshot)));
}

/** People see folders, so the name of one does when no skill bears it. */
function findNamed(wanted: string, snapshot: Served): Skill | undefined {
  const named = snapshot.findByName(wanted);
  if (named) return named;
  const folder = snapshot.findFolder(wanted);
  return folder && 'skill' in folder ? folder.skill : undefined;
}

function explainAbsence(wanted: string, { skills: named, unnamed, problems }: Served): string {
  const skills = [...named, ...unnamed];
  const broken = findBroken(wanted, problems);
  if (broken) return explainBroken(wanted, broken);
  const byUri = isSkillAddress(wanted);
  const near = byUri ? nearestUris(wanted, skills) : findNearest(wanted, namesOf(skills), 3);
  const all = `\`repertoire list\` shows the ${counted(skills.length, 'skill')}`;
  const hint = near.length > 0 ? `did you mean ${orList(near)}?` : all;
  return `No skill ${byUri ? 'has the URI' : 'is named'} "${wanted}": ${skills.length === 0 ? 'there are no skills' : hint}`;
}

function explainBroken(wanted: string, { source, path, line, message, fix }: Problem): string {
  const place = `${source}/${path}${line === undefined ? '' : `:${line}`}`;
  return `Cannot show "${wanted}": ${place} is broken. ${message}. ${fix}`;
}

function* namesOf(skills: readonly Skill[]): Generator<string> {
  for (const skill of skills) yield skill.name;
}

/** Compared without what all of them share: it would make any two look alike. */
function nearestUris(wanted: string, skills: readonly Skill[]): readonly string[] {
  const middles = skills.map((skill) => middleOf(skill.uri));
  return findNearest(middleOf(wanted), middles, 3).map((middle) => `skill://${middle}/SKILL.md`);
}

const middleOf = (uri: string): string =>
  uri
    .trim()
    .replace(/^skill:\/\//i, '')
    .replace(/\/SKILL\.md$/i, '');

/** The skill may be there and broken: then the reason is the answer, not a name that happens to be near. */
function findBroken(wanted: string, problems: readonly Problem[]): Problem | undefined {
  const folder = wanted.trim().toLowerCase();
  return problems.find(
    ({ severity, path }) => severity === 'error' && path.toLowerCase().split('/').slice(0, -1).at(-1) === folder,
  );
}

async function showDefinition(skill: RegisteredSkill, { flags, output }: CommandContext): Promise<ExitCode> {
  const { definitionJson } = await import('../../skills/define/registered-skill.ts');
  output.write(flags.has('json') ? toJsonText(definitionJson(skill)) : renderDefinition(skill, output));
  return 0;
}

/** What it takes and gives, who may invoke it, when it has succeeded, its limits, whether its runs survive and wait for a person. */
export function renderDefinition(skill: RegisteredSkill, layout: Layout): string {
  const { paint, columns } = layout;
  const { name, description, category, access, timeoutSeconds, perMinute, atOnce } = skill;
  const { successCriteria, failureModes } = skill;
  const limits = [
    counted(timeoutSeconds, 'second'),
    ...(perMinute === undefined ? [] : [`${perMinute} calls per minute for each caller`]),
    ...(atOnce === undefined ? [] : [`${atOnce} at once`]),
  ];
  const agents = access.assignedTo.length === 0 ? 'every agent' : access.assignedTo.join(', ');
  const users = access.userField === undefined ? '' : `; users for themselves (${access.userField})`;
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Agents', [toOneLine(`${agents}${users}`)]],
    ['Input', schemaLines(skill.input.json)],
    ['Output', schemaLines(skill.output.json)],
    ...(successCriteria.length === 0 ? [] : [['Succeeds if', successCriteria.map((each) => toOneLine(each))] as const]),
    ['Limits', [limits.join(', ')]],
    ...(skill.durable === undefined ? [] : [['Durable', [durabilityText(skill.durable)]] as const]),
    ...(skill.needsApproval ? [['Approval', [APPROVAL]] as const] : []),
    ...(failureModes.length === 0 ? [] : [['Fails with', [toOneLine(failureModes.join(', '))]] as const]),
  ];
  return [
    `${paint.bold(toOneLine(name))}  ${paint.dim(`typed · ${toOneLine(category)}`)}`,
    ...hangingText('', toOneLine(description), columns),
    '',
    ...labelledLines(rows, LABEL_WIDTH, layout),
    '',
  ].join('\n');
}

/** How a run survives (J1, J5). */
function durabilityText({ idempotent, attempts, backoffSeconds, resumes }: Durability): string {
  if (resumes) return 'a run that is not waited for goes on after its last completed step when its process dies';
  const again = `${counted(attempts, 'attempt')}${attempts > 1 ? `, the second after about ${counted(backoffSeconds, 'second')}` : ''}`;
  return `runs survive a restart; ${again}; ${idempotent ? 'idempotent' : 'not idempotent: never run twice'}`;
}

const APPROVAL = 'required: each run waits until a person allows it';

const LABEL_WIDTH = 13;
