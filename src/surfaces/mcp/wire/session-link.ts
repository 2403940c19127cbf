// The sessions of this process and those of the other replicas, kept in step (N2): what is done here is told there, what is
// done there happens here, and once in a while both are compared.
import { randomUUID } from 'node:crypto';
import type { KeptLimits, KeptSession } from '../../../identity/kept-sessions.ts';
import type { Held } from './held-session.ts';
import type { RequestId } from './json-rpc.ts';
import type { McpSession, OtherReplicas } from './mcp-session.ts';
import { isNewer, type SharedSessions, type StreamOpened } from './shared-sessions.ts';

export interface SessionLinkOptions {
  readonly shared: SharedSessions;
  readonly idleMs: number;
  /** It has ended elsewhere. */
  readonly forget: (held: Held) => void;
}

interface Linked {
  readonly held: Held;
  /** The other replicas can find it. */
  isKept: boolean;
  /** Counts what this process changed: what was read before that is old. */
  changes: number;
  opened: Promise<StreamOpened | undefined>;
}

export class SessionLink implements OtherReplicas {
  readonly #options: SessionLinkOptions;
  readonly #shared: SharedSessions;
  readonly #linked = new Map<string, Linked>();
  readonly #looking = new Map<string, Promise<KeptSession | undefined>>();
  /** The last comparison reached the store, so that the others had time to tell it what they serve. */
  #wasInTouch = false;
  #isBusy = false;

  constructor(options: SessionLinkOptions) {
    const { shared } = options;
    this.#options = options;
    this.#shared = shared;
    shared.listen({
      ended: (digest) => this.#ended(digest),
      cancelled: (digest, requestId) => this.#cancelled(digest, requestId),
      streamOpened: (digest, opened) => void this.#openedElsewhere(digest, opened),
      subscribed: (digest) => void this.#lookAgain([digest]),
      missed: () => void this.#lookAgain([...this.#linked.keys()]),
    });
  }

  /** From elsewhere; undefined: there is none, it has ended, or the store is away. */
  lookUp(digest: string): Promise<KeptSession | undefined> {
    const known = this.#looking.get(digest);
    if (known !== undefined) return known;
    const looking: Promise<KeptSession | undefined> = this.#shared.find(digest, this.#options.idleMs).then((kept) => {
      // It may have ended while it was looked up.
      const isWanted = this.#looking.get(digest) === looking;
      if (isWanted) this.#looking.delete(digest);
      return isWanted ? kept : undefined;
    });
    this.#looking.set(digest, looking);
    return looking;
  }

  /** One that was looked up. */
  adopt(held: Held): void {
    this.#linked.set(held.digest, { held, isKept: true, changes: 0, opened: NEVER_OPENED });
  }

  /** A new one. When it resolves, every replica can find it. */
  add(held: Held): Promise<void> {
    const linked: Linked = { held, isKept: false, changes: 0, opened: NEVER_OPENED };
    this.#linked.set(held.digest, linked);
    return this.#keep(linked);
  }

  /** This process serves it no more; the others may. */
  release({ digest }: Held): void {
    this.#linked.delete(digest);
  }

  /** Undefined: the store is away. */
  makeRoom(owner: string, most: KeptLimits): Promise<boolean | undefined> {
    return this.#shared.makeRoom(owner, most);
  }

  /** On every replica. `credential`: unless one of them has seen a newer one. */
  end({ digest }: Held, credential?: string): Promise<void> {
    return this.#shared.end(digest, credential);
  }

  changeCredential({ digest }: Held, credential: string): void {
    if (this.#linked.get(digest)?.isKept) void this.#shared.changeCredential(digest, credential);
  }

  cancel({ digest }: McpSession, requestId: RequestId): void {
    this.#shared.cancel(digest, requestId);
  }

  async subscribe({ digest }: McpSession, uri: string, isWanted: boolean): Promise<void> {
    const linked = this.#linked.get(digest);
    if (linked !== undefined) linked.changes += 1;
    await this.#shared.subscribe(digest, uri, isWanted);
    if (linked !== undefined) linked.changes += 1;
  }

  streamOpened({ digest }: McpSession): void {
    const linked = this.#linked.get(digest);
    if (linked !== undefined) linked.opened = this.#shared.openStream(digest, randomUUID());
  }

  streamClosed({ digest }: McpSession): void {
    if (this.#linked.has(digest)) void this.#shared.closeStream(digest);
  }

  /** The others learn what was used here, and we learn what ended there. */
  async compare(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      this.#wasInTouch = await this.#compare();
    } finally {
      this.#isBusy = false;
    }
  }

  close(): void {
    this.#shared.close();
  }

  #ended(digest: string): void {
    this.#looking.delete(digest);
    const linked = this.#linked.get(digest);
    if (linked !== undefined) this.#options.forget(linked.held);
  }

  #cancelled(digest: string, requestId: RequestId): void {
    const cancel = () => this.#linked.get(digest)?.held.session.requests.cancel(requestId);
    // The request may wait for its session to be found: then it runs a moment after that.
    const looking = this.#looking.get(digest);
    if (looking === undefined) cancel();
    else void looking.then(() => setImmediate(cancel));
  }

  /** The newest stream gets the messages. */
  async #openedElsewhere(digest: string, opened: StreamOpened): Promise<void> {
    const linked = this.#linked.get(digest);
    if (linked === undefined || !linked.held.session.listens) return;
    const own = linked.opened;
    const ownOpened = await own;
    const isOlder = ownOpened === undefined || isNewer(opened, ownOpened);
    if (isOlder && linked.opened === own) linked.held.session.endStream();
  }

  async #keep(linked: Linked): Promise<void> {
    const { digest, session, rights, credential } = linked.held;
    const { version = '', client, resources } = session.rules;
    const { owner } = session;
    const row = { digest, owner, version, client, resources: [...resources], rights, credential: credential?.digest };
    linked.isKept = await this.#shared.add(row);
  }

  /** False: the store is away. */
  async #compare(): Promise<boolean> {
    if (!(await this.#shared.writeLate())) return false;
    const all = [...this.#linked.values()];
    for (const linked of all) if (!linked.isKept) await this.#keep(linked);
    const used = all.map(({ held }) => held).filter((held) => held.session.busy || held.isUsed);
    const listening = used.filter(({ session }) => session.listens);
    for (const held of used) held.isUsed = false;
    if (!(await this.#shared.touch(digestsOf(used), digestsOf(listening)))) {
      for (const held of used) held.isUsed = true;
      return false;
    }
    await this.#lookAgain(digestsOf(all.map(({ held }) => held)));
    if (this.#wasInTouch) await this.#shared.endIdle(this.#options.idleMs);
    return true;
  }

  /** Those that are not there any more have ended; the others may be subscribed to something else by now. */
  async #lookAgain(digests: readonly string[]): Promise<void> {
    const known = digests.flatMap((digest) => this.#linked.get(digest) ?? []).filter(({ isKept }) => isKept);
    const before = known.map(({ changes }) => changes);
    const found = known.length > 0 ? await this.#shared.look(digestsOf(known.map(({ held }) => held))) : undefined;
    if (found === undefined) return;
    for (const [index, linked] of known.entries()) {
      const { held, changes } = linked;
      if (this.#linked.get(held.digest) !== linked) continue;
      const resources = found.get(held.digest);
      if (resources === undefined) this.#options.forget(held);
      else if (changes === before[index]) held.session.rules.setResources(resources);
    }
  }
}

const NEVER_OPENED: Promise<StreamOpened | undefined> = Promise.resolve(undefined);

const digestsOf = (all: readonly Held[]): readonly string[] => all.map(({ digest }) => digest);
