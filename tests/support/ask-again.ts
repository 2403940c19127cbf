// What a busy machine kept the store from is asked for again, for a while: nothing of it was written. A 503 that stays is the answer.
import { sleep } from '../../src/async/sleep.ts';

const MOST_AGAIN = 3;
/** Not so often that the limit of an agent is reached. */
const AGAIN_MS = 1_000;

/** @example await askAgain(() => fetch(`${url}/api/agents`, { method: 'POST', body })) */
export async function askAgain<T extends { readonly status: number }>(ask: () => Promise<T>): Promise<T> {
  for (let again = 0; ; again += 1) {
    const answer = await ask();
    if (answer.status !== 503 || again === MOST_AGAIN) return answer;
    await sleep(AGAIN_MS);
  }
}
