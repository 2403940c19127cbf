// A text that an earlier process read and whose file has not changed since: read when it is needed, not at the start.
import type { Issue } from '../../document/issue.ts';
import type { SkillDocument } from '../../document/skill-document.ts';
import { type Fence, type FileStamp, readSafe, sameStamp } from './safe-read.ts';
import type { SkillText } from './skill-file.ts';

interface Known {
  /** Real path of the file. */
  readonly path: string;
  readonly fence: Fence;
  readonly stamp: FileStamp;
  readonly document: SkillDocument;
  readonly issues: readonly Issue[];
  readonly loadedAt: Date;
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

  /** False: the file is not what was remembered any more. */
  load(): boolean {
    if (this.#bytes !== undefined || this.#known === undefined) return this.#bytes !== undefined;
    const { path, fence, stamp } = this.#known;
    const read = readSafe(path, fence, stamp.size);
    this.#known = undefined;
    if (read.ok && sameStamp(read.value.stamp, stamp)) this.#bytes = read.value.bytes;
    return this.#bytes !== undefined;
  }
}
