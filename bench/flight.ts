// Makes the same call many times, a fixed number of them at once, and takes the time of each.
import { now } from './clock.ts';

export interface Flight {
  /** The whole time by the number of calls. */
  readonly eachUs: number;
  readonly latenciesUs: readonly number[];
}

export interface FlightPlan {
  readonly calls: number;
  readonly inFlight: number;
}

export async function fly({ calls, inFlight }: FlightPlan, call: (number: number) => unknown): Promise<Flight> {
  const latenciesUs: number[] = [];
  let next = 0;
  const flyOn = async () => {
    while (next < calls) {
      const startedAt = now();
      await call(next++);
      latenciesUs.push((now() - startedAt) * 1000);
    }
  };
  const startedAt = now();
  await Promise.all(Array.from({ length: inFlight }, flyOn));
  return { eachUs: ((now() - startedAt) * 1000) / calls, latenciesUs };
}
