// Measures whether hostile text takes time in proportion to its length: 16 times a text beside the text itself. A square of
// the length would be 256 times. The worst text of each kind counts; the kinds are those of the tests.
import { parseText } from '../../src/builtin/workflow/reference.ts';
import { hostileBlocks, INSPECTED_PIECES, REPAIRED_PIECES } from '../../src/document/fixtures/hostile-texts.ts';
import { inspectText } from '../../src/document/inspect.ts';
import { repairFrontmatter } from '../../src/document/repair.ts';
import { readYamlFrontmatter } from '../../src/document/yaml-frontmatter.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import {
  ASSIGNED_PIECES,
  FRAME_PIECES,
  KNOWN_SECRETS,
  OPENINGS,
  WORST_PIECES,
} from '../../src/skills/fixtures/hostile-secrets.ts';
import { cleanText } from '../../src/skills/record/clean-details.ts';
import { createSecrets } from '../../src/skills/record/secrets.ts';
import { scrubShapes } from '../../src/text/credentials.ts';
import { toOneLine } from '../../src/text/one-line.ts';
import { now } from '../clock.ts';
import type { Measure } from '../measure.ts';
import type { Row } from '../row.ts';

const times = 16;
const mostRounds = 5;
const roundsOfWorst = 20;

interface Subject {
  readonly what: string;
  readonly read: (text: string) => unknown;
  /** Long ones; their beginnings are the short ones. */
  readonly texts: readonly string[];
}

/** The best of the rounds: whatever else runs on the machine only ever adds. */
interface Pair {
  readonly longMs: number;
  readonly shortMs: number;
}

export const measureGrowth: Measure = async ({ rounds, progress }) => {
  const rows: Row[] = [];
  for (const { what, read, texts } of subjects()) {
    progress(`growth: ${what}`);
    const pairs = texts.map((text) => ({ text, ...timePair(read, text, Math.min(mostRounds, rounds)) }));
    const { text } = pairs.reduce((a, b) => (growthOf(a) > growthOf(b) ? a : b));
    // Of very many short times the worst is often one that was disturbed.
    const worst = timePair(read, text, roundsOfWorst);
    rows.push({ section: 'growth', what, unit: 'ms', samples: [worst.longMs], floorSamples: [worst.shortMs] });
    // The others have a turn, and progress is shown.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return rows;
};

function subjects(): readonly Subject[] {
  const index = new SearchIndex();
  index.put({ id: 'a', kind: 'document', name: 'a', description: 'Fills in forms.', body: 'words of things' });
  const secrets = [...Object.values(WORST_PIECES).flat(), ...ASSIGNED_PIECES];
  return [
    { what: 'inspection', read: inspectText, texts: INSPECTED_PIECES.map((piece) => filled(piece, 96_000)) },
    {
      what: 'secrets',
      read: scrubShapes,
      texts: secrets.flatMap((piece) => OPENINGS.map((opening) => opening + filled(piece, 96_000))),
    },
    {
      what: 'known secrets',
      read: scrubKnown(),
      texts: KNOWN_SECRETS.map(([, , piece]) => filled(piece, 96_000)),
    },
    {
      what: 'texts for the log',
      // As long as the text itself: what is cut off is not cleaned.
      read: (text) => cleanText(text, createSecrets(), text.length),
      texts: FRAME_PIECES.map((piece) => filled(piece, 96_000)),
    },
    {
      what: 'frontmatter',
      read: readYamlFrontmatter,
      texts: hostileBlocks().map(([, block]) => block.slice(0, 24_000)),
    },
    {
      what: 'repair of frontmatter',
      read: repairFrontmatter,
      texts: REPAIRED_PIECES.flatMap((piece) => [
        `a: ${filled(piece, 96_000)}`,
        `a: [${filled(piece, 96_000)}`,
        `description: x\n${filled(` ${piece}y\n`, 24_000)}`,
      ]),
    },
    {
      what: 'references',
      read: parseText,
      texts: ['a', '${', '.a', '$${'].map((piece) => `\${steps.a.output${filled(piece, 96_000)}`),
    },
    { what: 'one line', read: toOneLine, texts: ['\x1b]', ' ', '\u200b '].map((piece) => filled(piece, 256_000)) },
    {
      what: 'search',
      read: (text) => index.search(text, 5),
      texts: ['constructor of ', 'x', 'a-', '漢字仮名', "'s", 'aB'].map((piece) => filled(piece, 256_000)),
    },
  ];
}

function scrubKnown(): Subject['read'] {
  const holders = KNOWN_SECRETS.map(([, known]) => {
    const secrets = createSecrets();
    secrets.add(known);
    return secrets;
  });
  return (text) => holders.map(({ scrub }) => scrub(text));
}

const filled = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length));

const growthOf = ({ longMs, shortMs }: Pair): number => longMs / shortMs;

function timePair(read: Subject['read'], long: string, rounds: number): Pair {
  const short = long.slice(0, Math.ceil(long.length / times));
  const best = { longMs: Number.POSITIVE_INFINITY, shortMs: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round++) {
    best.longMs = Math.min(best.longMs, timeEach(read, long, 1));
    best.shortMs = Math.min(best.shortMs, timeEach(read, short, times));
  }
  return best;
}

function timeEach(read: Subject['read'], text: string, repeats: number): number {
  const startedAt = now();
  for (let made = 0; made < repeats; made++) read(text);
  return (now() - startedAt) / repeats;
}
