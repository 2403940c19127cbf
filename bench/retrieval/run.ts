// How well search finds the right skill, beside plain MiniSearch in the same run. Arguments, order, exit code.
import { writeFileSync } from 'node:fs';
import { judgeBars } from './bars.ts';
import { loadDocuments } from './documents.ts';
import { measure } from './measure.ts';
import { parseOptions, type RetrievalOptions, usage } from './options.ts';
import { loadQueries } from './queries.ts';
import { renderBars, renderMissed, renderRows, resultJson } from './report.ts';

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

function runEvaluation({ half, jsonFile, strict }: RetrievalOptions): 0 | 1 {
  const documents = loadDocuments();
  const rows = measure(
    documents,
    loadQueries().filter((query) => query.half === half),
  );
  const bars = judgeBars(rows);
  process.stdout.write(`Half "${half}", ${documents.length} skills\n\n${renderRows(rows)}\n${renderBars(bars)}`);
  if (half === 'tune') process.stdout.write(`\n${renderMissed(rows)}`);
  if (jsonFile !== undefined) writeFileSync(jsonFile, resultJson(half, rows, bars));
  return strict && bars.some(({ isMet }) => !isMet) ? 1 : 0;
}
