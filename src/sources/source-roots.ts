// The roots of what the locks name: behind every folder, one for each source in the order of its lock (S3). Small, because every
// start loads it; the lock is read only where there is one.
import type { SourceRoots } from '../catalog/catalog.ts';
import type { Root } from '../catalog/scan/root.ts';
import { lockPlaces, lockStamp } from './lock-stamp.ts';

export interface SourceRootsOptions {
  readonly project: string;
  readonly dataDirectory: string;
}

/** How soon a changed lock is seen. */
const LOOK_MS = 1_000;

/** What the locks say now; looked at again once there is a subscriber. */
export async function openSourceRoots({ project, dataDirectory }: SourceRootsOptions): Promise<SourceRoots> {
  const places = lockPlaces(project, dataDirectory);
  const stampOf = () => places.map(({ path }) => lockStamp(path)).join('\n');
  const load = async (now: string, before: readonly Root[]): Promise<readonly Root[]> => {
    if (now.trim() === '') return [];
    const { loadPinnedRoots } = await import('./pinned-roots.ts');
    return loadPinnedRoots(places, dataDirectory, before);
  };
  let stamp = stampOf();
  let roots = await load(stamp, []);
  return {
    current: () => roots,
    subscribe: (listener) => {
      let isLooking = false;
      const look = async (): Promise<void> => {
        const now = stampOf();
        if (now === stamp || isLooking) return;
        isLooking = true;
        roots = await load(now, roots).finally(() => {
          isLooking = false;
        });
        stamp = now;
        listener();
      };
      // A look that failed is made again at the next turn.
      const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS).unref();
      return () => clearInterval(timer);
    },
  };
}
