// Results that were serialised once, sent again while what they tell of stays the same: half the cost of a read is JSON.
import { createBoundedMap } from '../../../async/bounded-map.ts';
import type { Skill } from '../../../catalog/view/skill.ts';
import type { Snapshot } from '../../../catalog/view/snapshot.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { LARGE_BYTES, LargeResult, PreparedResult, type RequestContext } from '../wire/method.ts';

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

  /**
   * The text of a skill, in `shape`. A long one is neither prepared nor kept: it is serialised while it is sent, once there
   * is room for it (F10). `undefined`: there is none.
   */
  answer(
    kind: string,
    skill: Skill,
    { reserve }: RequestContext,
    shape: ShapeText,
  ): PreparedResult | Promise<LargeResult | undefined> {
    return answerLarge(skill.bytes, reserve, shape) ?? this.get(kind, skill, () => shapeOf(skill.bytes, shape));
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

/** A control character as JSON. */
const MOST_ESCAPED = 6;

/** `inJson`: the same text for a place in a text that is JSON itself. */
export type ShapeText = (text: string, inJson: string) => JsonObject;

/** `undefined`: it is not long, or the result is handed over as a value. */
export function answerLarge(
  bytes: Buffer,
  reserve: RequestContext['reserve'],
  shape: ShapeText,
): Promise<LargeResult | undefined> | undefined {
  if (bytes.length <= LARGE_BYTES || reserve === undefined) return undefined;
  return reserve(MOST_ESCAPED * bytes.length).then((release) => {
    if (release === undefined) return undefined;
    release();
    return LargeResult.around({ bytes, isText: true }, shape);
  });
}

function shapeOf(bytes: Buffer, shape: ShapeText): JsonObject {
  const text = bytes.toString('utf8');
  return shape(text, text);
}
