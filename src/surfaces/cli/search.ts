// `repertoire search WORDS...`: the skills that fit best, each with why.

import { createRepertoire, SEARCH_LIMIT, type SkillHit } from '../../repertoire/repertoire.ts';
import { counted } from '../../text/counted.ts';
import { findNearest, orList } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine, inOwnWords } from './hint-line.ts';
import { openCatalogOnce } from './open-catalog-once.ts';
import { exitSaying, type Layout, saySentence } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { toJsonText } from './terminal/safe-text.ts';
import { tabLines } from './terminal/table.ts';
import { cutToWidth, wrapText } from './terminal/text-layout.ts';
import { type TypedDefinitions, withTypedDefinitions } from './typed-definitions.ts';

const NO_WORDS = 'Cannot search without words: for example, run `repertoire search pdf form`';

/** Offered when nothing fits. */
const NEAREST = 3;

export async function run(context: CommandContext): Promise<ExitCode> {
  const query = context.operands.join(' ');
  const limit = Number(context.values.get('limit')?.[0] ?? SEARCH_LIMIT.usual);
  if (query.trim() === '') return exitSaying(context, inOwnWords(context, NO_WORDS), 2);
  return withTypedDefinitions(context, async (typed, own) => {
    show(own, query, await search(own, typed, query, limit));
    return 0;
  });
}

function show(context: CommandContext, query: string, { hits, nearest, total }: Found): void {
  const { flags, output, errors } = context;
  if (flags.has('json')) output.write(toJsonText({ query, skills: hits.map(hitJson), nearest }));
  else if (hits.length > 0) output.write(output.isTerminal ? renderHits(hits, output) : renderLines(hits));
  else saySentence(errors, explainNone(context, query, nearest, total));
}

interface Found {
  readonly hits: readonly SkillHit[];
  /** Names that look like the query, when nothing fits. */
  readonly nearest: readonly string[];
  readonly total: number;
}

async function search(context: CommandContext, typed: TypedDefinitions, query: string, limit: number): Promise<Found> {
  const catalog = await openCatalogOnce(context);
  try {
    const repertoire = createRepertoire(catalog, { runtime: typed.runtime });
    const hits = await withProgress(context.errors, 'Reading the skills…', () => repertoire.search(query, limit));
    const names = [...repertoire.named(), ...typed.skills].map(({ name }) => name);
    return { hits, nearest: hits.length > 0 ? [] : nearestNames(query, names), total: names.length };
  } finally {
    catalog.close();
  }
}

/** To the whole query, or to a word of it. */
function nearestNames(query: string, names: readonly string[]): readonly string[] {
  const near = [query, ...query.split(/\s+/).slice(0, MOST_WORDS)].flatMap((part) => findNearest(part, names, NEAREST));
  return [...new Set(near)].slice(0, NEAREST);
}

/** Of a request of many words none is a name. */
const MOST_WORDS = 5;

const hitJson = ({ name, description, uri, kind, score, why }: SkillHit) => ({
  name,
  description,
  uri: uri ?? null,
  kind,
  score,
  why,
});

/** For programs: name, score, description, why. */
export const renderLines = (hits: readonly SkillHit[]): string =>
  tabLines(
    hits.map(
      ({ name, description, score, why }) => [name, score, cutToWidth(toOneLine(description), 200), why] as const,
    ),
  );

const BAR_WIDTH = 8;

/** For people: the name with how well it fits against the best, what it does, why it was found. */
export function renderHits(hits: readonly SkillHit[], { paint, columns }: Layout): string {
  const best = hits[0]?.score ?? 1;
  const blocks = hits.map(({ name, description, skill, score, why }) => {
    const filled = Math.max(1, Math.round((score / best) * BAR_WIDTH));
    const bar = '━'.repeat(filled) + paint.dim('─'.repeat(BAR_WIDTH - filled));
    const [first = '', ...rest] = wrapText(toOneLine(description), Math.max(20, columns - 2));
    const second = rest.length > 1 ? `${rest[0]} …` : rest[0];
    return [
      `${paint.bold(toOneLine(name))}  ${bar}  ${paint.dim(toOneLine(originOf(skill)))}`,
      ...[first, ...(second === undefined ? [] : [second])].map((line) => `  ${line}`),
      `  ${paint.dim(cutToWidth(toOneLine(why), Math.max(20, columns - 2)))}`,
    ].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}

function originOf(skill: SkillHit['skill']): string {
  if (skill === undefined) return 'typed skill';
  return skill.isUnnamed ? `${skill.source} · unnamed, found by its folder` : skill.source;
}

function explainNone(context: CommandContext, query: string, nearest: readonly string[], total: number): string {
  const shown = JSON.stringify(cutToWidth(toOneLine(query), 100));
  const command = (name: string) => `\`${hintLine(context, [name])}\``;
  if (total === 0) return `No skill matches ${shown}: there are no skills; ${command('doctor')} shows where it looked`;
  const near = nearest.length === 0 ? '' : `did you mean ${orList(nearest)}? `;
  return `No skill matches ${shown}: ${near}${command('list')} lists the ${counted(total, 'skill')}`;
}
