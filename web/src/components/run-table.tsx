// Runs as rows: which skill, how it stands, who started it, how often it was tried, since when.
import { pathTo } from '../browser/router.ts';
import { starterText } from '../model/run-state.ts';
import type { Me, Run } from '../model/shapes.ts';
import { countText, plural } from '../text/format.ts';
import { Name } from './name.tsx';
import { RunPill } from './run-pill.tsx';
import { RunProgress } from './run-progress.tsx';
import { When } from './when.tsx';

export const RunTable = ({ runs, me }: { readonly runs: readonly Run[]; readonly me: Me }) => (
  <table class="table rows steady runs">
    <thead>
      <tr>
        <th scope="col">Skill</th>
        <th scope="col" class="state-column hide-small">
          State
        </th>
        <th scope="col" class="agent-column hide-small">
          Started by
        </th>
        <th scope="col" class="took-column number hide-small">
          Attempts
        </th>
        <th scope="col" class="when-column number">
          Started
        </th>
      </tr>
    </thead>
    <tbody>
      {runs.map((run) => (
        <Row key={run.id} run={run} me={me} />
      ))}
    </tbody>
  </table>
);

const Row = ({ run, me }: { readonly run: Run; readonly me: Me }) => (
  <tr>
    <td class="wide">
      <a class="row-link" href={pathTo('runs', run.id)}>
        <Name text={run.skill_name} />
      </a>{' '}
      {run.result === null && run.progress !== null && <RunProgress progress={run.progress} />}
      <div class="only-small in-line">
        <RunPill status={run.status} run={run} />
        <span class="muted">{starterText(run.invoking_agent, me)}</span>
        {run.attempts.length > 1 && <span class="muted">{plural(run.attempts.length, 'attempt')}</span>}
      </div>
    </td>
    <td class="hide-small">
      <RunPill status={run.status} run={run} />
    </td>
    <td class="wide hide-small muted">{starterText(run.invoking_agent, me)}</td>
    <td class="number hide-small muted">{run.attempts.length === 0 ? '' : countText(run.attempts.length)}</td>
    <td class="number muted">
      <When at={run.timestamp} isInRow />
    </td>
  </tr>
);
