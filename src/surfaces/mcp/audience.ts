// Who is notified of a change: only those who may see what changed (N4). What is hidden and changes is not told at all, not
// even as a list that has changed.
import type { CatalogChange, Swap } from '../../catalog/view/compare-snapshots.ts';
import { ANONYMOUS, type Caller } from '../../identity/caller.ts';
import { changeSeenBy, type Repertoire, viewNameOf, viewsOf } from '../../repertoire/repertoire.ts';
import { eventsOf } from './catalog-events.ts';
import type { MethodTable, ServerEvent } from './wire/method.ts';
import { eventKey } from './wire/server-event.ts';

type Concerns = Pick<MethodTable, 'concerns' | 'openTo' | 'viewName' | 'isSameView'>;

export interface Audience extends Required<Concerns> {
  /** What is told of a new snapshot, to one caller or another. */
  told(swap: Swap): readonly ServerEvent[];
}

/** Without a role, by a client whose token is good for nothing (O5). */
const SEES_LEAST: Caller = { ...ANONYMOUS, via: { client: '', clientId: '', person: '', scopes: [] } };

/** `usual`: who asks where a request does not say. */
export function createAudience(repertoire: Repertoire, usual: Caller): Audience {
  const swaps = new WeakMap<ServerEvent, Swap>();
  const heard = new WeakMap<Swap, Map<Repertoire, ReadonlyMap<string, ServerEvent>>>();
  const eventsFor = (view: Repertoire, swap: Swap): ReadonlyMap<string, ServerEvent> => {
    const byView = heard.get(swap) ?? new Map<Repertoire, ReadonlyMap<string, ServerEvent>>();
    heard.set(swap, byView);
    const events = byView.get(view) ?? eventsOfChange(view, changeSeenBy(view, swap));
    byView.set(view, events);
    return events;
  };
  return {
    told: (swap) => {
      const all = new Map(viewsOf(repertoire).flatMap((view) => [...eventsFor(view, swap)]));
      return [...all.values()].map((event) => {
        // A value of its own: the same event of another snapshot is another one.
        const told = { ...event };
        swaps.set(told, swap);
        return told;
      });
    },
    concerns: (event, caller = usual) => {
      const view = repertoire.for(caller);
      const swap = swaps.get(event);
      if (swap !== undefined) return eventsFor(view, swap).has(eventKey(event));
      return view === repertoire || mayBeSeen(view, event);
    },
    openTo: (event) => {
      const swap = swaps.get(event);
      const isToldTo = (view: Repertoire) => swap === undefined || eventsFor(view, swap).has(eventKey(event));
      if (isToldTo(repertoire.for(SEES_LEAST))) return 'all';
      // A client that asked this server has its view here: it may have got what was there before.
      return viewsOf(repertoire).flatMap((view) => (isToldTo(view) ? (viewNameOf(view) ?? []) : []));
    },
    viewName: (caller) => viewNameOf(repertoire.for(caller)),
    isSameView: (one, other) => repertoire.for(one) === repertoire.for(other),
  };
}

const eventsOfChange = (view: Repertoire, change: CatalogChange | undefined): ReadonlyMap<string, ServerEvent> =>
  new Map(change === undefined ? [] : eventsOf(change, view).map((event) => [eventKey(event), event]));

/** What another replica saw and everyone may be told, or what is told in any case: then a list says nothing of what is hidden. */
const mayBeSeen = (view: Repertoire, event: ServerEvent): boolean =>
  event.kind !== 'resource' || (view.loadByUri(event.uri) ?? view.findFile(event.uri)) !== undefined;
