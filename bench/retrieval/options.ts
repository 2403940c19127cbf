// The command line of the evaluation → options, or a sentence about what is wrong with it. Pure.

import { fail, ok, type Result } from '../../src/values/result.ts';
import { readWords } from '../read-words.ts';
import { type Half, halves } from './queries.ts';

export interface RetrievalOptions {
  readonly half: Half;
  /** Where the clones of the public collections are or shall be; absent: our own set is measured. */
  readonly publicFolder: string | undefined;
  /** The same for the authors' set. */
  readonly authorsFolder: string | undefined;
  readonly jsonFile: string | undefined;
  readonly strict: boolean;
  readonly help: boolean;
}

export const usage = `npm run bench:retrieval -- [--half tune|held] [--public DIR | --authors DIR] [--json FILE] [--strict]

  --half HALF  tune: also lists what each engine missed; held (default): figures only
  --public DIR measure on public collections, whose clones are in DIR; what is missing is fetched from GitHub
  --authors DIR measure with the requests that authors wrote for their own skills; DIR as above
  --json FILE  keep the figures
  --strict     exit 1 when a bar is missed
`;

const known = {
  half: { type: 'string', default: 'held' },
  public: { type: 'string' },
  authors: { type: 'string' },
  json: { type: 'string' },
  strict: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export function parseOptions(words: readonly string[]): Result<RetrievalOptions, string> {
  const values = readWords(words, known);
  if (typeof values === 'string') return fail(values);
  const half = halves.find((each) => each === values.half);
  if (half === undefined) return fail(`Cannot measure the half "${values.half}": choose from ${halves.join(', ')}`);
  if (values.public !== undefined && values.authors !== undefined)
    return fail('Cannot measure both: give --public or --authors');
  return ok({
    half,
    publicFolder: values.public,
    authorsFolder: values.authors,
    jsonFile: values.json,
    strict: values.strict,
    help: values.help,
  });
}
