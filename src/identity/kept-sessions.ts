// Where 2025-era sessions are kept so that every replica can serve them (N2): the port that store/ implements. Without it a
// session lives and dies with its process.
import type { ClientInfo } from './client-info.ts';

/** Each may reject with StoreUnavailable. A session is known by the digest of its id: who reads the table can use none. */
export interface KeptSessions {
  /** Ends the longest idle ones where the limits are reached. `hasRoom`: one more fits now. */
  makeRoom(owner: string, most: KeptLimits): Promise<{ readonly hasRoom: boolean; readonly ended: readonly string[] }>;
  /** When it resolves, every replica can find it. Adding one twice changes nothing. */
  add(session: NewSession): Promise<void>;
  /** Used within `idleMs`; older ones count as ended. */
  find(digest: string, idleMs: number): Promise<KeptSession | undefined>;
  /** Of those that are still there, what each is subscribed to. */
  look(digests: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Every change of one session counts, whichever replicas make them at once. */
  subscribe(digest: string, uri: string, isWanted: boolean): Promise<void>;
  /** They were used just now; those in `listening` have a stream open. */
  touch(used: readonly string[], listening: readonly string[]): Promise<void>;
  /** Answers when, in milliseconds by the clock of the database; undefined: there is no such session. */
  openStream(digest: string): Promise<number | undefined>;
  closeStream(digest: string): Promise<void>;
  /** Used with another credential than before. */
  changeCredential(digest: string, credential: string): Promise<void>;
  /** `credential`: only if that is the last that it was used with. False: it was not, or there is no such session. */
  end(digest: string, credential?: string): Promise<boolean>;
  /** Ends those that no replica saw used for so long, and answers which. */
  endIdle(idleMs: number): Promise<readonly string[]>;
}

/** Over all replicas. */
export interface KeptLimits {
  readonly inAll: number;
  readonly perCaller: number;
}

export interface NewSession {
  /** SHA-256 of its id, in hexadecimal digits. */
  readonly digest: string;
  /** Whose it is: `ownerKey`. */
  readonly owner: string;
  /** The protocol version that the handshake agreed on. */
  readonly version: string;
  readonly client: ClientInfo;
  readonly resources: readonly string[];
  /** What its caller may invoke: the list of tools that it knows is for that. */
  readonly rights: string;
  /** Tells the credential of its last request from others; nothing can be learned from it. */
  readonly credential: string | undefined;
}

export interface KeptSession extends Omit<NewSession, 'digest'> {
  /** How long ago it was opened, by the clock of the database. */
  readonly ageMs: number;
}
