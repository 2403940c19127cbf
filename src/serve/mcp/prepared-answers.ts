// Answers about a skill, serialised once and sent again while the skill stays the same: half the cost of a read is JSON.
import type { Skill } from '../../catalog/skill.ts';
import { type JsonObject, PreparedResult } from './method.ts';

/** What is kept: the skills in use at one time, next to nothing beside the catalog itself (D7). */
const MAX_BYTES = 1024 * 1024;

export class PreparedAnswers {
  readonly #byKey = new Map<string, { readonly skill: Skill; readonly prepared: PreparedResult }>();
  #size = 0;

  /** `kind`: which answer about the skill. A changed skill is another value, so an old answer is never sent again. */
  get(kind: string, skill: Skill, make: () => JsonObject): PreparedResult {
    const key = `${kind} ${skill.uri}`;
    const known = this.#byKey.get(key);
    if (known?.skill === skill) return known.prepared;
    this.#forget(key);
    const prepared = new PreparedResult(Buffer.from(JSON.stringify(make())));
    this.#byKey.set(key, { skill, prepared });
    this.#size += prepared.bytes.length;
    for (const oldest of this.#byKey.keys()) {
      if (this.#size <= MAX_BYTES) break;
      this.#forget(oldest);
    }
    return prepared;
  }

  #forget(key: string): void {
    this.#size -= this.#byKey.get(key)?.prepared.bytes.length ?? 0;
    this.#byKey.delete(key);
  }
}
