// How well search finds the right skill, beside plain MiniSearch in the same run. Arguments, order, exit code.
import { writeFileSync } from 'node:fs';
import { loadAuthorSet } from './author-requests.ts';
import { type JudgedBar, judgeAuthorBars, judgeBars, judgePublicBars } from './bars.ts';
import { loadDocuments, type SkillDocument } from './documents.ts';
import { measure, type Row } from './measure.ts';
import { parseOptions, type RetrievalOptions, usage } from './options.ts';
import { loadPublicDocuments } from './public-skills.ts';
import {
  authorKinds,
  loadPublicQueries,
  loadQueries,
  publicKinds,
  type Query,
  type QueryKind,
  queryKinds,
} from './queries.ts';
import { publicCompared, renderBars, renderMissed, renderRows, resultJson } from './report.ts';

process.exitCode = main(process.argv.slice(2));

function main(words: readonly string[]): 0 | 1 | 2 {
  const options = parseOptions(words);
  if (!options.ok) {
    process.stderr.write(`${options.failure}\n`);
    return 2;
  }
  if (options.value.help) {
    process.stdout.write(usage);
    return 0;
  }
  return runEvaluation(options.value);
}

interface Evaluation {
  readonly documents: readonly SkillDocument[];
  readonly queries: readonly Query[];
  readonly kinds: readonly QueryKind[];
  readonly judge: (rows: readonly Row[]) => readonly JudgedBar[];
  readonly render: (bars: readonly JudgedBar[]) => string;
}

function ownEvaluation(): Evaluation {
  const render = (bars: readonly JudgedBar[]) => renderBars(bars);
  return { documents: loadDocuments(), queries: loadQueries(), kinds: queryKinds, judge: judgeBars, render };
}

function publicEvaluation(folder: string): Evaluation {
  const render = (bars: readonly JudgedBar[]) => renderBars(bars, publicCompared);
  const [documents, queries] = [loadPublicDocuments(folder), loadPublicQueries()];
  return { documents, queries, kinds: publicKinds, judge: judgePublicBars, render };
}

function authorEvaluation(folder: string): Evaluation {
  const render = (bars: readonly JudgedBar[]) => renderBars(bars, publicCompared);
  return { ...loadAuthorSet(folder), kinds: authorKinds, judge: judgeAuthorBars, render };
}

function evaluationOf({ publicFolder, authorsFolder }: RetrievalOptions): Evaluation {
  if (publicFolder !== undefined) return publicEvaluation(publicFolder);
  return authorsFolder === undefined ? ownEvaluation() : authorEvaluation(authorsFolder);
}

function runEvaluation(options: RetrievalOptions): 0 | 1 {
  const { half, jsonFile, strict } = options;
  const { documents, queries, kinds, judge, render } = evaluationOf(options);
  const asked = queries.filter((query) => query.half === half);
  const rows = measure(documents, asked, kinds);
  const bars = judge(rows);
  process.stdout.write(`Half "${half}", ${documents.length} skills\n\n${renderRows(rows)}\n${render(bars)}`);
  if (half === 'tune') process.stdout.write(`\n${renderMissed(rows)}`);
  if (jsonFile !== undefined) writeFileSync(jsonFile, resultJson(half, rows, bars));
  return strict && bars.some(({ isMet }) => !isMet) ? 1 : 0;
}
