// One supporting file of a skill, read when its writer seems to be done and when its bytes are those of the manifest (R2, F8).
import { dirname } from 'node:path';
import { sleep } from '../../async/sleep.ts';
import { digestOf } from '../../document/manifest.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { Folder } from '../scan/folder.ts';
import { CLOCK_SLACK_MS } from '../scan/hold-back.ts';
import { type Fence, type FileStamp, sameStamp } from '../scan/safe-read.ts';
import { type FileRecords, readSkillFileBytes } from './file-records.ts';
import type { Skill } from './skill.ts';

export interface FileRequest {
  /** The skill as it is now: asked again for each attempt. */
  findSkill(): { readonly skill: Skill; readonly folder: Folder | undefined; readonly records: FileRecords };
  /** By a path of the manifest, never from a client. */
  readonly path: string;
  readonly allowLinks: Fence;
  readonly now: () => Date;
  /** Brings the records of a directory up to date. */
  lookAt(directory: string): Promise<void>;
}

/** A file that is being written is waited for this often, this long. */
const ATTEMPTS = 12;
const QUIET_MS = 60;

/** The failure says why in half a sentence. */
export async function readSettledFile(request: FileRequest): Promise<Result<Buffer, string>> {
  const { path, allowLinks } = request;
  let emptyStamp: FileStamp | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { skill, folder, records } = request.findSkill();
    const record = records.files.find((file) => file.path === path);
    if (record === undefined || folder === undefined) return fail('it is not one of the files of the skill');
    if (path === folder.skillFileName) return ok(skill.bytes);
    const askedAt = request.now().getTime();
    const read = readSkillFileBytes(folder, path, allowLinks);
    const isKnown = read.ok && digestOf(read.value.bytes) === record.digest;
    const isEmpty = isKnown && read.value.bytes.length === 0;
    if (isKnown) {
      const { bytes, stamp } = read.value;
      const isSameEmpty = emptyStamp !== undefined && sameStamp(emptyStamp, stamp);
      const isDone = isQuiet(stamp.mtimeMs, askedAt, request.now()) && (!isEmpty || isSameEmpty);
      // A writer that never rests must not keep a file from everybody; but empty is how a file looks before it is written.
      if (isDone || (attempt === ATTEMPTS && !isEmpty)) return ok(bytes);
    }
    // ext4 shows a file that is being emptied with its former time for a moment: only a second look at the same state
    // proves it empty, and another state may be the next write.
    emptyStamp = isEmpty ? read.value.stamp : undefined;
    await sleep(QUIET_MS);
    await request.lookAt(dirname(`${folder.path}/${path}`));
  }
  return fail('it is being changed; try again in a moment');
}

/** `askedAt`: from before the read, because a process that is held up after it would take a young file for an old one. */
function isQuiet(modifiedMs: number, askedAt: number, now: Date): boolean {
  const isOfTheFuture = modifiedMs > now.getTime() + CLOCK_SLACK_MS;
  return isOfTheFuture || askedAt - modifiedMs >= QUIET_MS;
}
