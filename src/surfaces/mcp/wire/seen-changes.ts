// When this replica last saw each list change, for sessions that it did not know then.
import { monotonicMs } from '../../../async/monotonic-clock.ts';
import type { ServerEvent } from './method.ts';
import type { ListKind } from './server-event.ts';

export class SeenChanges {
  // What changed before it started, it cannot know.
  readonly #startedAt = monotonicMs();
  readonly #at = new Map<ListKind, number>();

  note({ kind }: ServerEvent): void {
    this.#at.set(kind === 'resource' ? 'resources' : kind, monotonicMs());
  }

  /** The lists that may have changed within this time. */
  within(ms: number): readonly ListKind[] {
    const since = monotonicMs() - ms;
    const kinds: readonly ListKind[] = ['tools', 'prompts', 'resources'];
    return kinds.filter((kind) => (this.#at.get(kind) ?? this.#startedAt) >= since);
  }
}
