// What looks suspicious in a document skill: in its SKILL.md and in its other texts. Looked for on request, once per state
// of it, in short steps: the inspection is loaded by the first request that needs it, and keeps no other waiting.

import { createTimeSlice } from '../async/time-slice.ts';
import { createTurns } from '../async/turns.ts';
import type { Skill } from '../catalog/view/skill.ts';
import type { Finding } from '../document/inspect/finding.ts';
import type { Repertoire } from '../repertoire/repertoire.ts';

export interface FindingInFile extends Finding {
  /** Below the skill's folder, with `/`. */
  readonly path: string;
}

export interface SkillFindings {
  of(skill: Skill): Promise<readonly FindingInFile[]>;
  /** How many. At once where it is known already: a list asks for a thousand. */
  countOf(skill: Skill): number | Promise<number>;
}

type Readable = Pick<Repertoire, 'textOf' | 'manifestOf' | 'readFile'>;

/** Above this a file is data, not a text that an agent reads. */
const MAX_INSPECTED_BYTES = 1_048_576;

export function createSkillFindings(repertoire: Readable): SkillFindings {
  const inspect = createInspection();
  // A changed skill is another value, so old findings are never shown for it.
  const known = new WeakMap<Skill, Promise<readonly FindingInFile[]>>();
  // Of a list only the numbers are kept: ten thousand bad skills must not fill the memory with excerpts.
  const counts = new WeakMap<Skill, number | Promise<number>>();
  const find = async (skill: Skill) => {
    const findings = await inspectSkill(skill, repertoire, inspect);
    counts.set(skill, findings.length);
    return findings;
  };
  return {
    of: (skill) => {
      const found = known.get(skill);
      if (found !== undefined) return found;
      const looking = find(skill);
      known.set(skill, looking);
      // A fault of ours fails the requests that wait for it, and is not kept for later ones.
      looking.catch(() => known.delete(skill));
      return looking;
    },
    countOf: (skill) => {
      const counted = counts.get(skill);
      if (counted !== undefined) return counted;
      const counting = (known.get(skill) ?? find(skill)).then(({ length }) => length);
      counts.set(skill, counting);
      counting.catch(() => counts.delete(skill));
      return counting;
    },
  };
}

async function inspectSkill(skill: Skill, repertoire: Readable, inspect: Inspect): Promise<readonly FindingInFile[]> {
  const locate = async (path: string, text: string): Promise<readonly FindingInFile[]> =>
    (await inspect(text)).map((finding) => ({ ...finding, path }));
  const findings = [...(await locate(skill.fileName, repertoire.textOf(skill)))];
  for (const { path, size } of repertoire.manifestOf(skill).files) {
    if (path === skill.fileName || size > MAX_INSPECTED_BYTES) continue;
    const read = await repertoire.readFile({ skill, path });
    // Gone since the listing: there is nothing to inspect. What cannot be read is a problem already.
    if (read.ok && read.value.isText && !read.value.bytes.includes(0)) {
      findings.push(...(await locate(path, read.value.bytes.toString('utf8'))));
    }
  }
  return findings;
}

type Inspect = (text: string) => Promise<readonly Finding[]>;

/** After so long everything else may run. */
const SLICE_MS = 5;

/** One text after the other, also for several requests: side by side, each with its own rests, they would leave none. */
function createInspection(): Inspect {
  const slice = createTimeSlice(SLICE_MS);
  const inTurn = createTurns();
  return (text) =>
    inTurn(async () => {
      const { inspectSteps } = await import('../document/inspect.ts');
      const steps = inspectSteps(text);
      for (;;) {
        if (slice.isSpent()) await slice.rest();
        const step = steps.next();
        if (step.done) return step.value;
      }
    });
}
