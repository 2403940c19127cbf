// How well upkeep finds near-duplicates: `npm run bench:upkeep -- DIR [SEED]`, DIR with bare clones of public collections. Plants 50
// edited copies, others with another seed, and compares what is found besides them by whole lines, which the search for duplicates does not look at.
import { findNearDuplicates } from '../../src/upkeep/near-duplicates.ts';
import { createRandom, wholeNumber } from '../random.ts';
import { EDITS, type Edit, plantCopy } from './plant.ts';
import { type PublicSkill, readPublicSkills } from './public-texts.ts';

const PLANTED = 50;
/** Shorter lines, such as headings and fences, are in every skill. */
const TELLING_LINE = 25;
/** A line that more skills have is of a template. */
const MOST_HOLDERS = 8;
/** Two texts are held for copies when so much of the shorter one's lines is in the other. */
const SAME_LINES = 0.3;

interface Planted {
  readonly edit: Edit;
  readonly from: number;
  readonly at: number;
}

const [folder, seed = '7'] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Cannot measure without skills: name a folder with bare clones, OWNER+NAME each\n');
  process.exit(2);
}

const found = readPublicSkills(folder).filter(({ body }) => body.length >= 400);
const { skills, planted } = plantAll(found);
const lineHolders = countLines();
const began = process.cpuUsage();
const groups = run(skills);
const seconds = process.cpuUsage(began).user / 1_000_000;
report();

function plantAll(originals: readonly PublicSkill[]) {
  const random = createRandom(Number(seed));
  const all = [...originals];
  const copies: Planted[] = [];
  for (let made = 0; made < PLANTED; made += 1) {
    const from = wholeNumber(random, originals.length);
    const edit = EDITS[made % EDITS.length] as Edit;
    copies.push({ edit, from, at: all.length });
    all.push(plantCopy(originals[from] as PublicSkill, edit, originals, random));
  }
  return { skills: all, planted: copies };
}

function run(all: readonly PublicSkill[]) {
  const steps = findNearDuplicates(all.map(({ description, body }) => `${description}\n${body}`));
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function report(): void {
  const groupOf = new Map(groups.flatMap(({ members }, group) => members.map((at) => [at, group] as const)));
  const isFound = ({ from, at }: Planted) => groupOf.has(at) && groupOf.get(at) === groupOf.get(from);
  const hits = planted.filter(isFound).length;
  const isPlanted = new Set(planted.map(({ at }) => at));
  const flagged = groups.flatMap(({ members }) => {
    const own = members.filter((at) => !isPlanted.has(at));
    return own.length < 2
      ? []
      : own.map((at) => ({ at, isCopy: own.some((other) => other !== at && sharesLines(at, other)) }));
  });
  const alarms = flagged.filter(({ isCopy }) => !isCopy);
  const alone = found.length - (flagged.length - alarms.length);
  const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  print(`skills                       ${found.length} public, ${planted.length} planted`);
  print(`planted copies found         ${hits} of ${planted.length} (${percent(hits, planted.length)})`);
  for (const edit of EDITS) {
    const own = planted.filter((each) => each.edit === edit);
    print(`  ${edit.padEnd(26)} ${own.filter(isFound).length} of ${own.length}`);
  }
  print(
    `public skills in groups      ${flagged.length}, of which ${flagged.length - alarms.length} share whole lines with another`,
  );
  print(
    `false alarms                 ${alarms.length}: ${percent(alarms.length, alone)} of the skills without a copy, ${percent(alarms.length, flagged.length)} of those told`,
  );
  const sizes = groups.map(({ members }) => members.length).sort((a, b) => b - a);
  print(`groups                       ${groups.length}; the largest of ${sizes.slice(0, 5).join(', ')}`);
  for (const { at } of alarms.slice(0, 20)) print(`  ${skills[at]?.id}`);
  print(`time                         ${seconds.toFixed(2)} s of one processor`);
  const isGood = hits / planted.length >= 0.9 && alarms.length / alone <= 0.05 && seconds < 5;
  print(isGood ? 'every bar is reached' : 'a bar is missed: 90 % found, 5 % false alarms, 5 s');
}

function countLines(): ReadonlyMap<string, number> {
  const holders = new Map<string, number>();
  for (const skill of skills) for (const line of tellingLines(skill)) holders.set(line, (holders.get(line) ?? 0) + 1);
  return holders;
}

function linesOf(at: number): ReadonlySet<string> {
  const lines = [...tellingLines(skills[at] as PublicSkill)];
  return new Set(lines.filter((line) => (lineHolders.get(line) ?? 0) <= MOST_HOLDERS));
}

function tellingLines({ body }: PublicSkill): ReadonlySet<string> {
  const lines = body.split('\n').map((line) => line.trim().toLowerCase());
  return new Set(lines.filter((line) => line.length >= TELLING_LINE));
}

function sharesLines(one: number, other: number): boolean {
  const [first, second] = [linesOf(one), linesOf(other)];
  const shared = [...first].filter((line) => second.has(line)).length;
  return shared / Math.max(1, Math.min(first.size, second.size)) >= SAME_LINES;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
