// A text that an earlier process read and whose file has not changed since: read when it is needed, not at the start.
import type { Issue } from '../../document/issue.ts';
import { digestOf } from '../../document/manifest.ts';
import type { SkillDocument } from '../../document/skill-document.ts';
import type { Allocate } from './byte-arena.ts';
import { type Fence, type FileStamp, readSafe, sameStamp } from './safe-read.ts';
import type { SkillText } from './skill-file.ts';

/** The digest that the bytes of a file must have, where it is fixed; asked when they have been read. `undefined`: none is right. */
export type Pin = () => string | undefined;

interface Known {
  /** Real path of the file. */
  readonly path: string;
  readonly fence: Fence;
  readonly stamp: FileStamp;
  readonly document: SkillDocument;
  readonly issues: readonly Issue[];
  readonly loadedAt: Date;
  /** Where its bytes are fixed (S3). */
  readonly pin: Pin | undefined;
}

const NO_BYTES = Buffer.alloc(0);

export class RememberedText implements SkillText {
  readonly document: SkillDocument;
  readonly issues: readonly Issue[];
  readonly loadedAt: Date;
  #bytes: Buffer | undefined;
  #known: Known | undefined;

  constructor(known: Known) {
    this.document = known.document;
    this.issues = known.issues;
    this.loadedAt = known.loadedAt;
    this.#known = known;
  }

  get size(): number {
    return this.#bytes?.length ?? this.#known?.stamp.size ?? 0;
  }

  /** Empty when the file has changed since the start looked at it: then `load` says so, and the folder is scanned again. */
  get bytes(): Buffer {
    this.load();
    return this.#bytes ?? NO_BYTES;
  }

  /** It was not asked for yet: `load` tells whether the file is still what was remembered. */
  get isUnread(): boolean {
    return this.#bytes === undefined && this.#known !== undefined;
  }

  /** False: the file is not what was remembered any more. */
  load(allocate?: Allocate): boolean {
    if (this.#bytes !== undefined || this.#known === undefined) return this.#bytes !== undefined;
    const { path, fence, stamp, pin } = this.#known;
    const read = readSafe(path, fence, stamp.size, allocate);
    this.#known = undefined;
    const isSame = read.ok && sameStamp(read.value.stamp, stamp);
    if (isSame && (pin === undefined || digestOf(read.value.bytes) === pin())) this.#bytes = read.value.bytes;
    return this.#bytes !== undefined;
  }
}
