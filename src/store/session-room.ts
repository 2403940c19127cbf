// Room for new sessions, made for all of one owner who wait at the same moment at once: however many come, one question of an
// owner is under way, and few in all.
import { createTurns } from '../async/turns.ts';
import type { KeptLimits, KeptSessions } from '../identity/kept-sessions.ts';

/** For how many there is room now, and who was ended for it. */
export interface Room {
  readonly places: number;
  readonly ended: readonly string[];
}

/** `wanted`: for so many at once. */
type MakeRoom = (owner: string, most: KeptLimits, wanted: number) => Promise<Room>;

type Made = Awaited<ReturnType<KeptSessions['makeRoom']>>;

interface Waiting {
  readonly resolve: (made: Made) => void;
  readonly reject: (reason: unknown) => void;
}

/** Owners at a time: one connection of PostgreSQL stays free for the rest of the store. */
const AT_ONCE = 2;

export function createRoomMaking(make: MakeRoom): KeptSessions['makeRoom'] {
  const inTurn = createTurns(AT_ONCE);
  const waitingOf = new Map<string, Waiting[]>();
  const serve = async (owner: string, most: KeptLimits): Promise<void> => {
    for (let waiting = waitingOf.get(owner); waiting !== undefined && waiting.length > 0; ) {
      await inTurn(() => answer(waiting.splice(0, Math.max(1, most.perCaller)), (wanted) => make(owner, most, wanted)));
    }
    waitingOf.delete(owner);
  };
  return (owner, most) =>
    new Promise((resolve, reject) => {
      const waiting = waitingOf.get(owner);
      if (waiting !== undefined) return void waiting.push({ resolve, reject });
      waitingOf.set(owner, [{ resolve, reject }]);
      void serve(owner, most);
    });
}

/** Never rejects. A failure is that of all for whom it was asked. */
async function answer(waiting: readonly Waiting[], make: (wanted: number) => Promise<Room>): Promise<void> {
  try {
    const { places, ended } = await make(waiting.length);
    for (const [index, { resolve }] of waiting.entries()) {
      resolve({ hasRoom: index < places, ended: index === 0 ? ended : [] });
    }
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}
