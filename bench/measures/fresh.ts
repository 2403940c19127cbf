// Measures how soon a change on disk is served, and counts every wrong answer on the way there.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '../clock.ts';
import { type Corpus, skillText, writeSkill } from '../corpus.ts';
import { type Measure, type MeasureContext, withServer } from '../measure.ts';
import { waitUntilQuiet } from '../process-stats.ts';
import { createRandom } from '../random.ts';
import type { Row } from '../row.ts';
import { type Change, type ChangeKind, markOf, type Sighting, timeChange } from '../sighting.ts';
import type { StdioClient } from '../stdio-client.ts';
import { sentence } from '../words.ts';
import type { Root } from '../workshop.ts';

const kinds: readonly ChangeKind[] = ['add', 'edit', 'delete'];
/** Between changes: what the one before still causes is over by then. */
const pauseMs = 250;
const mostRounds = 5;

export const measureFresh: Measure = async (context) => {
  const rows: Row[] = [];
  for (const corpus of context.corpora.filter(({ skills, needsYaml }) => skills > 0 && !needsYaml))
    rows.push(...(await measureAt(corpus, context)));
  return rows;
};

async function measureAt(corpus: Corpus, { workshop, rounds, progress }: MeasureContext): Promise<readonly Row[]> {
  const root = workshop.root(corpus);
  const count = Math.min(mostRounds, rounds);
  try {
    for (let round = 0; round < count; round++) writeOld(root.path, round);
    const sightings = await withServer(workshop, root.path, async (client) => {
      await client.greet();
      progress(`fresh: ${corpus.label}`);
      await waitUntilQuiet(client.pid);
      return changeRepeatedly(client, root, count);
    });
    return rowsOf(corpus, sightings);
  } finally {
    // The other measures find the corpus as it was.
    for (let round = 0; round < count; round++) for (const kind of kinds) remove(root.path, nameOf(kind, round));
  }
}

async function changeRepeatedly(client: StdioClient, root: Root, rounds: number): Promise<readonly Sighting[]> {
  const sightings: Sighting[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) {
      await sleep(pauseMs);
      sightings.push(await timeChange(client, createChange(kind, root.path, round), root.names[0] ?? ''));
    }
  }
  return sightings;
}

/** First in the alphabet, so that they are on the first page of list_skills: walking pages is not what is measured. */
const nameOf = (kind: ChangeKind, round: number): string => `aaa-${kind}-${round}`;

function createChange(kind: ChangeKind, root: string, round: number): Change {
  const name = nameOf(kind, round);
  const folder = kind === 'edit' ? join(root, name) : root;
  return { kind, name, folder, make: () => (kind === 'delete' ? remove(root, name) : writeMarked(root, name, 'new')) };
}

function writeOld(root: string, round: number): void {
  for (const kind of ['edit', 'delete'] as const) writeMarked(root, nameOf(kind, round), 'old');
}

function writeMarked(root: string, name: string, state: 'old' | 'new'): void {
  const random = createRandom(name.length);
  const text = skillText(random, name, `${sentence(random)} ${markOf(state)}`, 3_000);
  writeSkill(root, name, `${text}\n${markOf(state)}\n`);
}

const remove = (root: string, name: string): void => rmSync(join(root, name), { recursive: true, force: true });

function rowsOf({ label }: Corpus, sightings: readonly Sighting[]): readonly Row[] {
  const rows = kinds.map((kind): Row => {
    const ofKind = sightings.filter((sighting) => sighting.kind === kind);
    return {
      section: 'fresh',
      what: `${label}: ${kind}`,
      unit: 'ms',
      samples: ofKind.map(({ skillMs, listMs }) => Math.max(skillMs, listMs)),
      floorSamples: ofKind.flatMap(({ eventMs }) => (eventMs === undefined ? [] : [eventMs])),
    };
  });
  const errors = sightings.reduce((sum, sighting) => sum + sighting.errors, 0);
  return [
    ...rows,
    { section: 'fresh', what: `${label}: errors on the way`, unit: 'errors', samples: [errors], floorSamples: [] },
  ];
}
