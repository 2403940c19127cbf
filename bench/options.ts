// The bench's command line → options, or a sentence about what is wrong with it. Pure.

import { fail, ok, type Result } from '../src/values/result.ts';
import { type Corpus, thousandSkills } from './corpus.ts';
import { readWords } from './read-words.ts';

export const measureNames = [
  'cold',
  'read',
  'fresh',
  'list',
  'big',
  'search',
  'invoke',
  'store',
  'runs',
  'http',
] as const;

export type MeasureName = (typeof measureNames)[number];

export interface BenchOptions {
  readonly only: readonly MeasureName[];
  readonly corpora: readonly Corpus[];
  readonly rounds: number;
  readonly calls: number;
  readonly loggedRows: number;
  readonly jsonFile: string | undefined;
  readonly strict: boolean;
  readonly help: boolean;
}

export const usage = `npm run bench -- [--quick] [--only LIST] [--json FILE] [--strict]

  --quick      fewer rounds, no 10,000 skills, no 1,000,000 rows
  --only LIST  some of the measures: ${measureNames.join(', ')}
  --json FILE  keep every sample
  --strict     exit 1 when a bar is missed
  --rounds N   how often each figure is taken (default 9, quick 3; slow ones less often)
  --calls N    sequential calls per round of read (default 2000)
`;

const quickCorpora: readonly Corpus[] = [
  { label: '0 skills', skills: 0 },
  { label: '17 skills', skills: 17 },
  { label: '17 skills, one needs YAML', skills: 17, needsYaml: true },
  thousandSkills,
];
const allCorpora: readonly Corpus[] = [...quickCorpora, { label: '10,000 skills', skills: 10_000 }];

const known = {
  quick: { type: 'boolean', default: false },
  only: { type: 'string' },
  json: { type: 'string' },
  strict: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  calls: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export function parseOptions(words: readonly string[]): Result<BenchOptions, string> {
  const values = readWords(words, known);
  if (typeof values === 'string') return fail(values);
  const only = values.only?.split(',') ?? measureNames;
  const stranger = only.find((name) => !isMeasureName(name));
  if (stranger !== undefined) return fail(`Cannot measure "${stranger}": choose from ${measureNames.join(', ')}`);
  const rounds = toCount(values.rounds, values.quick ? 3 : 9);
  const calls = toCount(values.calls, 2_000);
  if (rounds === undefined || calls === undefined) {
    return fail('Cannot use --rounds or --calls: it is not a whole number above 0');
  }
  return ok({
    only: only.filter(isMeasureName),
    corpora: values.quick ? quickCorpora : allCorpora,
    rounds,
    calls,
    loggedRows: values.quick ? 10_000 : 1_000_000,
    jsonFile: values.json,
    strict: values.strict,
    help: values.help,
  });
}

const isMeasureName = (name: string): name is MeasureName => (measureNames as readonly string[]).includes(name);

function toCount(written: string | undefined, usual: number): number | undefined {
  if (written === undefined) return usual;
  return /^[1-9]\d{0,6}$/.test(written) ? Number(written) : undefined;
}
