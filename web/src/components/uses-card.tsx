// How a skill is used: how often in the last 30 days, when last, day by day, and by whom. For those who may read the log.
import { withQuery } from '../api/ask.ts';
import type { LiveEvent } from '../api/live.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { useRefresh } from '../api/use-refresh.ts';
import { callerText } from '../model/run-state.ts';
import type { Uses } from '../model/shapes.ts';
import { countText, dayText, plural } from '../text/format.ts';
import { Card } from './page.tsx';
import { Show } from './states.tsx';
import { When } from './when.tsx';

interface UsesCardProps {
  readonly name: string;
  /** Documents are read, typed skills run. */
  readonly kind: 'document' | 'typed';
}

export function UsesCard({ name, kind }: UsesCardProps) {
  const loaded = useLoaded<Uses>(`/api/uses/${encodeURIComponent(name)}`);
  useRefresh(loaded.reload, isUse);
  return (
    <Card title="The last 30 days" note={<a href={withQuery('/activity', { skill: name })}>Activity</a>}>
      <div class="uses">
        <Show loaded={loaded} lines={4}>
          {(uses) => (
            <>
              <Figures uses={uses} kind={kind} />
              {uses.users.length > 0 && <Users name={name} users={uses.users} />}
            </>
          )}
        </Show>
      </div>
    </Card>
  );
}

const isUse = ({ kind }: LiveEvent): boolean => kind === 'load' || kind === 'invocation' || kind === 'tick';

function Figures({ uses, kind }: { readonly uses: Uses; readonly kind: UsesCardProps['kind'] }) {
  const [count, last] = kind === 'document' ? [uses.reads, uses.last_read_at] : [uses.runs, uses.last_run_at];
  const verb = kind === 'document' ? 'Read' : 'Ran';
  return (
    <div class="card-body">
      <p>
        {count === 0 ? `${kind === 'document' ? 'Not read' : 'Not run'} in this time` : `${verb} ${timesText(count)}`}
        {last !== null && (
          <>
            , last <When at={last} />
          </>
        )}
      </p>
      <Sparkline uses={uses} kind={kind} />
    </div>
  );
}

const timesText = (count: number): string => (count === 1 ? 'once' : plural(count, 'time'));

/** Of one bar, with the space beside it. */
const STEP = 10;
const HEIGHT = 40;

/** One bar a day. A day without any has a mark at the foot, so that gaps are seen as such. */
function Sparkline({ uses: { series }, kind }: { readonly uses: Uses; readonly kind: UsesCardProps['kind'] }) {
  const days = series.map(({ start, reads, runs, failures }) => ({
    start,
    count: kind === 'document' ? reads : runs,
    failures: kind === 'document' ? 0 : failures,
  }));
  const most = Math.max(1, ...days.map(({ count }) => count));
  const first = series[0]?.start;
  const busiest = days.find(({ count }) => count === most);
  return (
    <div class="sparkline">
      <svg
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={busiest === undefined ? 'No use on any day' : `Most on ${dayOf(busiest.start)}: ${countText(most)}`}
      >
        {days.map(({ start, count, failures }, at) => (
          <g key={start}>
            <title>{`${dayOf(start)}: ${countText(count)}${failures > 0 ? `, ${countText(failures)} failed` : ''}`}</title>
            <rect class="room" x={at * STEP} y={0} width={STEP} height={HEIGHT} />
            <Bar at={at} count={count} most={most} kind={kind} />
            {failures > 0 && <Bar at={at} count={failures} most={most} kind="failed" />}
          </g>
        ))}
      </svg>
      <span class="axis">
        <span>{first !== undefined && dayOf(first)}</span>
        <span>today</span>
      </span>
    </div>
  );
}

interface BarProps {
  readonly at: number;
  readonly count: number;
  readonly most: number;
  readonly kind: UsesCardProps['kind'] | 'failed';
}

function Bar({ at, count, most, kind }: BarProps) {
  const height = count === 0 ? 1 : Math.max(3, (count / most) * HEIGHT);
  return (
    <rect class={count === 0 ? 'none' : kind} x={at * STEP + 1} y={HEIGHT - height} width={STEP - 2} height={height} />
  );
}

const dayOf = (moment: string): string => dayText(new Date(moment));

/** More are in the activity. */
const MOST_USERS = 5;

const Users = ({ name, users }: Pick<Uses, 'users'> & { readonly name: string }) => (
  <table class="table rows">
    <thead class="unseen">
      <tr>
        <th scope="col">Agent</th>
        <th scope="col">How often</th>
        <th scope="col">Last</th>
      </tr>
    </thead>
    <tbody>
      {users.slice(0, MOST_USERS).map(({ agent, uses, last_used_at }) => (
        <tr key={agent}>
          <td class="wide">
            <a class="row-link light" href={withQuery('/activity', { skill: name, agent })}>
              {callerText(agent)}
            </a>
          </td>
          <td class="number fit">{countText(uses)}</td>
          <td class="number fit small muted">
            <When at={last_used_at} isInRow />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
