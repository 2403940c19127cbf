// Answers about a skill, serialised once and sent again while the skill stays the same: half the cost of a read is JSON.
import type { Skill } from '../../catalog/skill.ts';
import { type JsonObject, PreparedResult } from './method.ts';

/** What is kept: enough for every skill in use, nothing beside the catalog's own size. */
const MAX_BYTES = 4 * 1024 * 1024;

export class PreparedAnswers {
  readonly #bySkill = new Map<Skill, PreparedResult>();
  #size = 0;

  /** A changed skill is another value, so an old answer is never found again. */
  get(skill: Skill, make: () => JsonObject): PreparedResult {
    const known = this.#bySkill.get(skill);
    if (known) return known;
    const prepared = new PreparedResult(Buffer.from(JSON.stringify(make())));
    this.#bySkill.set(skill, prepared);
    this.#size += prepared.bytes.length;
    this.#forgetOldest();
    return prepared;
  }

  #forgetOldest(): void {
    for (const [skill, { bytes }] of this.#bySkill) {
      if (this.#size <= MAX_BYTES) return;
      this.#bySkill.delete(skill);
      this.#size -= bytes.length;
    }
  }
}
