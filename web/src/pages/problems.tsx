// Why skills are not served, or not as written: file, rule, and what to do.
import { useLive } from '../api/live.ts';
import type { Me, Problem, ProblemList } from '../api/shapes.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { Card, Page } from '../components/page.tsx';
import { Empty, Show } from '../components/states.tsx';
import { Ticked } from '../components/ticked.tsx';
import { plural } from '../format.ts';

export function ProblemsPage({ me }: { readonly me: Me }) {
  const problems = useLoaded<ProblemList>('/api/problems');
  useLive(me.may_read_log, ({ kind }) => (kind === 'catalog' || kind === 'tick') && problems.reload());
  const count = problems.value?.problems.length;
  return (
    <Page title="Problems" lede="Why skills are not served, or not as they are written, and how to mend it.">
      <Card title={count === undefined ? 'Problems' : plural(count, 'problem')}>
        <Show loaded={problems} lines={6}>
          {({ problems: list }) => (list.length === 0 ? <None /> : <ProblemTable problems={list} />)}
        </Show>
      </Card>
    </Page>
  );
}

const None = () => (
  <Empty title="No problems" command="repertoire check">
    Every skill that was found is served as it is written. This looks closer, and gives advice:
  </Empty>
);

export const ProblemTable = ({ problems }: { readonly problems: readonly Problem[] }) => (
  <div class="table-wrap">
    <table class="table">
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col" class="hide-small">
            Rule
          </th>
          <th scope="col">What is the case, and what to do</th>
        </tr>
      </thead>
      <tbody>
        {problems.map((problem) => (
          <tr key={`${problem.path} ${problem.rule} ${problem.message}`}>
            <td class="wide mono">{problem.path}</td>
            <td class="fit hide-small">
              <span class="pill warn">{problem.rule}</span>
            </td>
            <td class="wide">
              <Ticked text={problem.message} />
              <div class="muted">
                <Ticked text={problem.fix} />
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
