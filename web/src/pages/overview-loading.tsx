// The overview before its figures are there: everything above the fold in its place, so that nothing moves when they come.
import { windowWords } from '../../../src/values/duration-ms.ts';
import { ChartPlace } from '../chart/chart.tsx';
import { Card } from '../components/page.tsx';

const TILES = ['Invocations', 'Succeeded', '95th percentile', 'Documents read', 'Skills', 'Problems'];

export const OverviewLoading = ({ window }: { readonly window: string }) => (
  <>
    <span class="unseen" role="status">
      Loading what happened in the last {windowWords(window)}
    </span>
    <dl class="tiles" aria-busy="true">
      {TILES.map((name) => (
        <div key={name} class="tile">
          <dt>{name}</dt>
          <dd>
            <span class="skeleton figure" />
          </dd>
        </div>
      ))}
    </dl>
    <div class="stack roomy">
      <Card title="Invocations">
        <ChartPlace />
      </Card>
      <div class="halves">
        <Card title="Duration">
          <ChartPlace />
        </Card>
        <Card title="Documents read">
          <ChartPlace />
        </Card>
      </div>
    </div>
  </>
);
