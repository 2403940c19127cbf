// Results that were serialised once, sent again while what they tell of stays the same: half the cost of a read is JSON.
import { createBoundedMap } from '../../../async/bounded-map.ts';
import type { Skill } from '../../../catalog/view/skill.ts';
import type { Snapshot } from '../../../catalog/view/snapshot.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { PreparedResult } from '../wire/method.ts';

/** What is kept: the skills and pages in use at one time, next to nothing beside the catalog itself (D7). */
const MAX_BYTES = 2 * 1024 * 1024;

interface Kept {
  /** Of what a client sent: it takes room, too. */
  readonly key: string;
  readonly about: Skill | Snapshot;
  readonly prepared: PreparedResult;
}

export class PreparedResults {
  readonly #byKey = createBoundedMap<string, Kept>({
    most: MAX_BYTES,
    weigh: ({ prepared, key }) => prepared.bytes.length + key.length,
  });

  /** `kind`: which answer about the skill. */
  get(kind: string, skill: Skill, make: () => JsonObject): PreparedResult {
    return this.#get(`${kind} ${skill.uri}`, skill, make);
  }

  /** `kind`: which answer about all skills, with everything else that it depends on. */
  getOfAll(kind: string, snapshot: Snapshot, make: () => JsonObject): PreparedResult {
    return this.#get(kind, snapshot, make);
  }

  /** What changed is another value, so an old answer is never sent again. */
  #get(key: string, about: Skill | Snapshot, make: () => JsonObject): PreparedResult {
    const known = this.#byKey.get(key);
    if (known?.about === about) return known.prepared;
    const prepared = new PreparedResult(Buffer.from(JSON.stringify(make())));
    this.#byKey.set(key, { key, about, prepared });
    return prepared;
  }
}
