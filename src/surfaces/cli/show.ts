// `repertoire show NAME`: one skill's SKILL.md. Exact bytes into a pipe; made harmless for a terminal.

import type { Catalog } from '../../catalog/catalog.ts';
import { contentOf, type Problem, type Skill } from '../../catalog/view/skill.ts';
import type { RegisteredSkill } from '../../skills/define/registered-skill.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { findSkill } from './find-skill.ts';
import { inspectSkill, type SkillFinding } from './inspect-skill.ts';
import { type ListedTyped, withListedTyped } from './listed-typed.ts';
import { openOnce } from './open-once.ts';
import { problemJson, skillJson } from './report-json.ts';
import { toJsonText } from './terminal/json-output.ts';
import type { Layout } from './terminal/output.ts';
import { toVisibleText } from './terminal/visible-text.ts';

export const run = (context: CommandContext): Promise<ExitCode> =>
  withListedTyped<ExitCode>(context, (typed, own) => show(own, typed));

async function show(context: CommandContext, typed: ListedTyped): Promise<ExitCode> {
  const { operands, flags, output, errors } = context;
  const catalog = await openOnce(context);
  try {
    const found = findSkill(operands[0] ?? '', catalog.current);
    if (!found.ok) {
      const definition = typed.runtime?.find(operands[0] ?? '');
      if (definition !== undefined) return await showDefinition(definition, context);
      errors.write(`${found.failure}\n`);
      return 1;
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

async function showDefinition(skill: RegisteredSkill, { flags, output }: CommandContext): Promise<ExitCode> {
  const [{ definitionJson }, { renderDefinition }] = await Promise.all([
    import('../../skills/define/registered-skill.ts'),
    import('./render-definition.ts'),
  ]);
  output.write(flags.has('json') ? toJsonText(definitionJson(skill)) : renderDefinition(skill, output));
  return 0;
}

export interface SkillDescription {
  readonly skill: Skill;
  readonly fileCount: number;
  readonly problems: readonly Problem[];
  readonly findings: readonly SkillFinding[];
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
    base_directory: skill.baseDirectory,
    file_path: skill.filePath,
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

export function renderHeader({ skill, fileCount, problems, findings }: SkillDescription, { paint }: Layout): string {
  const facts = [toOneLine(skill.source), toOneLine(skill.baseDirectory), counted(fileCount, 'file')];
  const remarks = [
    ...(skill.availability === 'fallback' ? ['the file is broken now: this is its last good text'] : []),
    ...problems.map(({ rule, message }) => `${rule}: ${message}`),
    ...findings.map(({ path, line, rule, message }) => `${path}:${line} ${rule}: ${message}`),
  ];
  return [
    `${paint.bold(toOneLine(skill.name))}  ${paint.dim(facts.join(' · '))}`,
    ...remarks.map((remark) => paint.yellow(`▲ ${toOneLine(remark)}`)),
    '',
    '',
  ].join('\n');
}

const endWithNewline = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);
