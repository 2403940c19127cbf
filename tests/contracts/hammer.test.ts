// A skill that is edited some 2,000 times while two clients read it: always one whole version, never an error (R2, F8).
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EraClient, serveEra } from '../support/era-client.ts';
import { type Hammering, startHammering } from '../support/hammering.ts';
import { digestOf, frontmatterOf } from '../support/skill-on-disk.ts';
import { World } from '../support/world.ts';
import { writeSkill } from '../support/write-skill.ts';

const URI = 'skill://hammered/SKILL.md';
const NOTES = 'skill://hammered/notes.md';
const EDITS = 2_000;
/** So many different ones are read while it is edited, however long that takes. */
const VERSIONS = 20;

interface Entry {
  readonly frontmatter: Record<string, unknown>;
  readonly resources: readonly { readonly uri: string; readonly digest: string; readonly size: number }[];
}

/** What two clients saw. */
interface Seen {
  readonly versions: Set<string>;
  readonly faults: string[];
  /** Faults unless the writer says afterwards that it was held up. */
  readonly doubts: Doubt[];
  reads: number;
}

interface Doubt {
  readonly digest: string;
  readonly fault: string;
}

let world: World;
beforeEach(() => {
  world = new World({ apart: true });
});
afterEach(() => world.close());

test('2,000 edits in six ways never show a torn text, a mixed entry or an error (R2, F8)', async () => {
  const folder = join(world.skills, 'hammered');
  mkdirSync(folder, { recursive: true });
  // The server looks at these after the one that is edited, and may answer in between.
  for (let index = 0; index < 40; index += 1) writeSkill(world.skills, `later-${index}`);
  // Before the servers start: they read the skill for the first time in the middle of a write.
  const seen: Seen = { versions: new Set(), faults: [], doubts: [], reads: 0 };
  const isEnough = () => seen.versions.size > VERSIONS;
  const hammering = startHammering({ folder, edits: EDITS, isEnough });
  const clients = await Promise.all((['legacy', 'modern'] as const).map((era) => serveEra(world, era, [world.skills])));
  for (const client of clients) await expect.poll(() => entryOf(client)).toBeDefined();
  let isOver = false;
  const reading = clients.map(async (client) => {
    while (!isOver) await readOnce(client, hammering, seen);
  });
  await hammering.done;
  const last = [...hammering.versions.values()].at(-1);
  const settled = async (client: EraClient) => (await entryOf(client))?.frontmatter.license;
  for (const client of clients) await expect.poll(() => settled(client)).toBe(last);
  isOver = true;
  await Promise.all(reading);
  console.log(
    `${hammering.versions.size} versions, ${seen.versions.size} of them seen in ${seen.reads} reads; held up: ${hammering.heldUp.join(', ') || 'never'}`,
  );
  const isKnown = ({ digest }: Doubt) => hammering.versions.has(digest) || hammering.notes.has(digest);
  const torn = seen.doubts.filter((doubt) => !isKnown(doubt)).map(({ fault }) => fault);
  expect([...seen.faults, ...torn].slice(0, 10)).toEqual([]);
});

async function readOnce(client: EraClient, hammering: Hammering, seen: Seen): Promise<void> {
  const { faults, doubts } = seen;
  const on = (what: string): Report => ({
    fault: (how) => faults.push(`${client.era}: ${what} ${how}`),
    doubt: (digest, how) => doubts.push({ digest, fault: `${client.era}: ${what} ${how}` }),
  });
  checkEntry(await entryOf(client), hammering, seen, on('skills/get'));
  const read = await client.request('resources/read', { uri: URI });
  checkText(firstText(read.result), hammering, seen, on('resources/read'));
  const got = await client.request('tools/call', { name: 'get_skill', arguments: { uri: URI } });
  const { text } = (got.result?.structuredContent ?? {}) as { text?: string };
  checkText(text, hammering, seen, on('get_skill'));
  const notes = firstText((await client.request('resources/read', { uri: NOTES })).result);
  // It is deleted now and then: then there is no text.
  if (notes !== undefined) on('notes').doubt(digestOf(Buffer.from(notes)), `torn: ${shown(notes)}`);
  seen.reads += 4;
  await sleep(1);
}

interface Report {
  fault(how: string): void;
  doubt(digest: string, how: string): void;
}

/** The number in the frontmatter is that of the version which has the digest. */
function checkEntry(entry: Entry | undefined, { versions }: Hammering, seen: Seen, report: Report): void {
  const file = entry?.resources.find(({ uri }) => uri === URI);
  if (entry === undefined || file === undefined) {
    report.fault('failed');
    return;
  }
  const version = versions.get(file.digest);
  if (version === undefined) report.doubt(file.digest, `has a digest that was never written: ${file.digest}`);
  else if (version !== entry.frontmatter.license)
    report.fault(`has version ${entry.frontmatter.license} with the digest of ${version}`);
  else seen.versions.add(version);
}

function checkText(text: string | undefined, { versions }: Hammering, seen: Seen, report: Report): void {
  if (text === undefined) {
    report.fault('failed');
    return;
  }
  const digest = digestOf(Buffer.from(text));
  const version = versions.get(digest);
  if (version === undefined) report.doubt(digest, `torn: ${shown(text)}`);
  else if ((frontmatterOf(text) as Entry['frontmatter']).license !== version) report.fault(`is not version ${version}`);
  else seen.versions.add(version);
}

async function entryOf(client: EraClient): Promise<Entry | undefined> {
  return (await client.request('skills/get', { uri: URI })).result?.skill as Entry | undefined;
}

const firstText = (result: Record<string, unknown> | undefined): string | undefined =>
  (result?.contents as { text?: string }[] | undefined)?.[0]?.text;

const shown = (text: string): string => JSON.stringify(`${text.slice(0, 60)} … ${text.slice(-30)}`);
