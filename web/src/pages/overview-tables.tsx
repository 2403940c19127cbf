// Which skills stand out, and how the store and the servers on it are.
import { useServerState } from '../api/server-state.ts';
import { pathTo } from '../browser/router.ts';
import { Name } from '../components/name.tsx';
import { Card } from '../components/page.tsx';
import { When } from '../components/when.tsx';
import type { Overview } from '../model/shapes.ts';
import { asSentence, countText, percentText } from '../text/format.ts';

interface Ranked {
  readonly name: string;
  readonly address: string;
  readonly count: number;
  readonly note: string | undefined;
}

export function Rankings({ overview }: { readonly overview: Overview }) {
  const { busiest, most_failing, most_loaded } = overview;
  return (
    <div class="thirds">
      <Ranking
        title="Busiest"
        empty="No typed skill ran in this time."
        rows={busiest.map(({ skill_name, count }) => typedRow(skill_name, count, undefined))}
      />
      <Ranking
        title="Most failing"
        empty="Nothing failed in this time."
        isBad
        rows={most_failing.map(({ skill_name, failure_count, count }) =>
          typedRow(skill_name, failure_count, `${percentText(failure_count / Math.max(1, count))} of runs`),
        )}
      />
      <Ranking
        title="Most read"
        empty="No document was read in this time."
        rows={most_loaded.map(({ skill_name, load_count }) => ({
          name: skill_name,
          address: pathTo('documents', skill_name),
          count: load_count,
          note: undefined,
        }))}
      />
    </div>
  );
}

const typedRow = (name: string, count: number, note: string | undefined): Ranked => ({
  name,
  address: pathTo('typed', name),
  count,
  note,
});

interface RankingProps {
  readonly title: string;
  readonly empty: string;
  readonly rows: readonly Ranked[];
  readonly isBad?: boolean;
}

function Ranking({ title, empty, rows, isBad = false }: RankingProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <Card title={title}>
      {rows.length === 0 && <p class="card-body muted">{empty}</p>}
      {rows.length > 0 && (
        <table class="table rows">
          <thead class="unseen">
            <tr>
              <th scope="col">Skill</th>
              <th scope="col">How often</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, 5).map(({ name, address, count, note }) => (
              <tr key={name}>
                <td class="wide">
                  <a class="row-link" href={address}>
                    <Name text={name} />
                  </a>
                  <div class={isBad ? 'bar bad' : 'bar'}>
                    <span style={{ width: `${(count / most) * 100}%` }} />
                  </div>
                </td>
                <td class="number">
                  {countText(count)}
                  {note !== undefined && <div class="small muted">{note}</div>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

const STORES = { sqlite: 'SQLite', postgres: 'PostgreSQL', memory: 'memory' } as const;

interface ServerCardProps {
  readonly overview: Overview;
  /** What the overview says is from before. */
  readonly isOutage: boolean;
}

/** The banner and this card say the same: both have it from the page's watch. */
export function ServerCard({ overview: { store, replicas }, isOutage }: ServerCardProps) {
  const { isSilent, reasons } = useServerState();
  const isReady = !isOutage && !isSilent && reasons.length === 0 && store.state === 'ready';
  const state = isReady ? 'ready' : isSilent ? 'not known' : 'degraded';
  return (
    <Card
      title="Server"
      note={<span class={`pill dot ${isReady ? 'plain good' : 'warn'}`}>{`${STORES[store.kind]} ${state}`}</span>}
    >
      {reasons.length > 0 && <p class="card-body">{reasons.map(asSentence).join(' ')}</p>}
      <Replicas replicas={replicas} />
    </Card>
  );
}

const Replicas = ({ replicas }: Pick<Overview, 'replicas'>) => (
  <table class="table">
    <thead>
      <tr>
        <th scope="col">Processes on this store</th>
        <th scope="col" class="number">
          Last seen
        </th>
      </tr>
    </thead>
    <tbody>
      {replicas.map(({ id, last_seen, is_this }) => (
        <tr key={id}>
          <td class="mono wide">
            {id} {is_this && <span class="pill">this one</span>}
          </td>
          <td class="number">
            <When at={last_seen} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
