// Which listings of a scan still stand. A folder that another one was moved over shows the times of that one: old ones.
import type { Folder } from '../scan/folder.ts';
import { COARSE_MS, changedMs, type FileStamp, findStamp, isYoung, listFolder, sameStamp } from '../scan/safe-read.ts';

/** `changed`: since the scan, here or above. `restless`: so shortly ago that times prove nothing. */
type Standing = 'same' | 'changed' | 'restless';

const WORSE: Readonly<Record<Standing, number>> = { same: 0, changed: 1, restless: 2 };

export interface ProofRequest {
  /** The tree of one root. */
  readonly top: Folder;
  /** When the first scan began: what changed later was perhaps listed before it changed. */
  readonly openedAt: number;
  readonly now: () => Date;
}

export class ListingProof {
  readonly #request: ProofRequest;
  /** By real path, of folders that hold folders. */
  readonly #above = new Map<string, { readonly stamp: FileStamp; readonly standing: Standing }>();

  constructor(request: ProofRequest) {
    this.#request = request;
  }

  /** Parents first. True: the folder with these times holds what `folder` says; where that is in doubt, it is listed again. */
  stands(folder: Folder, stamp: FileStamp): boolean {
    const standing = worse(this.#standingAbove(folder, stamp), this.#standingOf(stamp));
    if (folder.folders.length > 0) this.#above.set(folder.real, { stamp, standing });
    return folder.isPlain && (standing === 'same' || (standing === 'changed' && isListedAgain(folder)));
  }

  /** False: something was moved while the folders were asked, so that times and listings may be of different ones. */
  isUndisturbed(): boolean {
    for (const [real, { stamp, standing }] of this.#above) {
      // Nothing below it was believed.
      if (standing === 'restless') continue;
      const present = findStamp(real);
      if (present === undefined || !sameStamp(present, stamp)) return false;
    }
    return true;
  }

  #standingAbove({ real }: Folder, stamp: FileStamp): Standing {
    const { top } = this.#request;
    if (real === top.real) return stamp.ino === top.inode ? 'same' : 'changed';
    // What was left out above proves nothing.
    return this.#above.get(real.slice(0, real.lastIndexOf('/')))?.standing ?? 'restless';
  }

  #standingOf(stamp: FileStamp): Standing {
    if (changedMs(stamp) < this.#request.openedAt - COARSE_MS) return 'same';
    return isYoung(stamp, this.#request.now()) ? 'restless' : 'changed';
  }
}

const worse = (a: Standing, b: Standing): Standing => (WORSE[a] > WORSE[b] ? a : b);

function isListedAgain({ real, files, folders }: Folder): boolean {
  const listing = listFolder(real);
  if (!listing.ok || listing.value.length !== files.length + folders.length) return false;
  const known = new Set([...files.map((name) => `file/${name}`), ...folders.map(({ name }) => `folder/${name}`)]);
  return listing.value.every(({ name, kind }) => known.has(`${kind}/${name}`));
}
