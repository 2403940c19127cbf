// The search index over two starts: what is taken over from the last one, and what is kept for the next. A skill counts as
// known only where all that was indexed of it has the same digest.
import { createHash } from 'node:crypto';
import { createTimeSlice, type TimeSlice } from '../async/time-slice.ts';
import type { Skill } from '../catalog/view/skill.ts';
import { decodeImage, encodeImage } from '../search/index-image.ts';
import type { SearchIndex } from '../search/search-index.ts';
import type { IndexFile } from './index-file.ts';

/** The process answers others between two pieces of this length. */
const SLICE_MS = 5;
/** Of the digest: enough that no two texts share one. */
const KEY_BYTES = 16;

export class IndexMemory {
  readonly #file: IndexFile;
  readonly #keys = new WeakMap<Skill, string>();

  constructor(file: IndexFile) {
    this.#file = file;
  }

  /** Puts what the last start kept of these skills into the empty index, and calls back with each. */
  async recall(index: SearchIndex, skills: Iterable<Skill>, visit: (skill: Skill) => void): Promise<void> {
    const slice = createTimeSlice(SLICE_MS);
    const bytes = await inSlices(this.#file.read(), slice);
    const image = bytes && (await inSlices(decodeImage(bytes, this.#file), slice));
    if (image === undefined) return;
    const steps = index.restore(
      image,
      entriesOf(skills),
      ({ skill }) => this.#keyOf(skill),
      ({ skill }) => visit(skill),
    );
    await inSlices(steps, slice);
  }

  /** `find`: what the index holds now, by id; `undefined` while it is being changed: then nothing is kept, and the answer is false. */
  async keep(index: SearchIndex, find: () => ReadonlyMap<string, Skill> | undefined): Promise<boolean> {
    const slice = createTimeSlice(SLICE_MS);
    for (const skill of [...(find()?.values() ?? [])]) {
      this.#keyOf(skill);
      if (slice.isSpent()) await slice.rest();
    }
    // No rest from here to the image: both are of one state.
    const indexed = find();
    if (indexed === undefined) return false;
    const image = index.imageOf((id) => {
      const skill = indexed.get(id);
      return skill && this.#keys.get(skill);
    });
    await inSlices(this.#file.write(encodeImage(image, this.#file)), slice);
    return true;
  }

  #keyOf(skill: Skill): string {
    const known = this.#keys.get(skill) ?? digestOf(skill);
    this.#keys.set(skill, known);
    return known;
  }
}

function digestOf({ name, description, bytes }: Skill): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([name, description]))
    .update(bytes);
  return hash.digest().toString('latin1', 0, KEY_BYTES);
}

function* entriesOf(skills: Iterable<Skill>) {
  for (const skill of skills) yield { skill, id: skill.uri, name: skill.name, description: skill.description };
}

async function inSlices<T>(steps: Generator<void, T>, slice: TimeSlice): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (slice.isSpent()) await slice.rest();
  }
}
