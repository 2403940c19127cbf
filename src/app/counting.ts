// What limits callers, as it is counted: by this process alone, or, where several share a PostgreSQL, by all of them (N1).
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { createPasswordTries, type PasswordTries } from '../limits/password-tries.ts';
import { createLocalPlaces, type Places } from '../limits/places.ts';
import { createLocalWindow, type RateWindow } from '../limits/rate-window.ts';
import { describeError } from '../skills/record/describe-error.ts';
import type { RuntimeLog } from '../skills/record/runtime-log.ts';
import type { Store } from './store.ts';

export interface Counting {
  /** Requests and calls a minute, bad credentials. */
  readonly window: RateWindow;
  /** Of typed skills with `atOnce`. */
  readonly places: Places;
  readonly passwordTries: PasswordTries;
  /** Together with all others. False: SQLite, or the database is away. */
  readonly isShared: () => boolean;
  close(): Promise<void>;
}

/** Several readings a request: `process.uptime()` of monotonic-clock.ts takes four times as long. */
const monotonicMs = (): number => performance.now();

/**
 * No request waits longer for its turn: then that one is counted here. One that is only busy gets the time to answer, because
 * what it decides is exact; and one that has failed is not waited for at all until it is back (N7).
 */
const PATIENCE_MS = 1_000;
/** What is not in use any more is removed so often. */
const FORGET_MS = 60_000;

const createLocalCounting = (): Counting => {
  const window = createLocalWindow(monotonicMs);
  return {
    window,
    places: createLocalPlaces(),
    passwordTries: createPasswordTries(window),
    isShared: () => false,
    close: async () => undefined,
  };
};

export interface CountingOptions {
  readonly log: RuntimeLog;
  /** `REPERTOIRE_SECRET`, the same for all who count together. */
  readonly secret: string | undefined;
  /** See `ReplicaCountOptions`. */
  readonly isServer: boolean;
}

/** Loads what counts with others only where there are any. */
export async function openCounting(
  { limits }: Pick<Store, 'limits'>,
  { log, secret, isServer }: CountingOptions,
): Promise<Counting> {
  if (limits === undefined) return createLocalCounting();
  const [{ SharedWindow }, { SharedPlaces }, { createReplicaCount }] = await Promise.all([
    import('../limits/shared-window.ts'),
    import('../limits/shared-places.ts'),
    import('../limits/replica-count.ts'),
  ]);
  const onFault = (error: unknown) =>
    log({ level: 'error', message: 'Cannot count limits over all replicas', error: describeError(error) });
  const options = { monotonicMs, onFault, patienceMs: PATIENCE_MS };
  const replicas = createReplicaCount({ ...options, signOn: limits.signOn, isServer });
  const window = new SharedWindow({ ...options, exchange: limits.countMinutes, replicas, nameOf: createNames(secret) });
  const places = new SharedPlaces({ ...options, hold: limits.holdPlaces });
  const forgetting = setInterval(() => void limits.forgetOld().catch(onFault), FORGET_MS).unref();
  return {
    window,
    places,
    passwordTries: createPasswordTries(window),
    isShared: () => !window.isAlone,
    async close() {
      clearInterval(forgetting);
      await Promise.all([window.close(), places.close()]);
      await limits.signOff();
    },
  };
}

/**
 * Keys hold names, emails and addresses: the database is told none of them. Without a secret, who reads its tables can still try
 * whether one that they guess is counted. A secret in the same database would not keep them from it.
 */
function createNames(secret: string | undefined): (key: string) => string {
  if (secret === undefined) return (key) => createHash('sha256').update(key).digest('base64url');
  const own = Buffer.from(hkdfSync('sha256', secret, '', 'repertoire limits', 32));
  return (key) => createHmac('sha256', own).update(key).digest('base64url');
}
