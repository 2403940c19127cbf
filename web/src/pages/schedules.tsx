// The schedules of the configuration: when each runs next, how its last run went, and what is wrong with those that are not used (J7).

import { isOfRuns } from '../api/use-fresh.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { useRefresh } from '../api/use-refresh.ts';
import { pathTo } from '../browser/router.ts';
import { Name } from '../components/name.tsx';
import { Card, Page } from '../components/page.tsx';
import { StatusPill } from '../components/pills.tsx';
import { RunTabs } from '../components/run-tabs.tsx';
import { Empty, Show } from '../components/states.tsx';
import { When } from '../components/when.tsx';
import { cronWords } from '../model/cron-words.ts';
import type { Schedule, ScheduleList } from '../model/shapes.ts';
import { plural } from '../text/format.ts';

export function SchedulesPage() {
  const schedules = useLoaded<ScheduleList>('/api/schedules');
  useRefresh(schedules.reload, isOfRuns);
  return (
    <Page
      title="Schedules"
      lede="Typed skills that run on a schedule, once across all servers on this store."
      tools={<RunTabs here="schedules" />}
    >
      <Schedules schedules={schedules} />
    </Page>
  );
}

function Schedules({ schedules }: { readonly schedules: ReturnType<typeof useLoaded<ScheduleList>> }) {
  const { schedules: all = [] } = schedules.value ?? {};
  const bad = all.filter(({ problem }) => problem !== null);
  const used = all.filter(({ problem }) => problem === null);
  return (
    <>
      {bad.length > 0 && <Refused schedules={bad} />}
      <Card title={used.length === 0 ? 'Schedules' : plural(used.length, 'schedule')}>
        <Show loaded={schedules} lines={4}>
          {() => (used.length === 0 ? <None hasBad={bad.length > 0} /> : <ScheduleTable schedules={used} />)}
        </Show>
      </Card>
    </>
  );
}

/** Each with its sentence: which entry, what is the case, what is wanted. */
const Refused = ({ schedules }: { readonly schedules: readonly Schedule[] }) => (
  <section class="card" aria-label="Not used">
    <div class="notice bad-edge">
      <h2>{plural(schedules.length, 'schedule is', 'schedules are')} not used</h2>
      {schedules.map(({ name, problem }, at) => (
        <p key={`${at} ${name}`}>{problem}</p>
      ))}
      <p class="small muted">Correct the configuration and start the server again.</p>
    </div>
  </section>
);

const None = ({ hasBad }: { readonly hasBad: boolean }) => (
  <Empty title={hasBad ? 'No schedule is in use' : 'No schedules yet'} example={EXAMPLE}>
    Add one to the configuration, beside the skills:
  </Empty>
);

const EXAMPLE = "schedules: [{ name: 'nightly', skill: 'SKILL', input: {}, cron: '0 3 * * *', timezone: 'UTC' }]";

const ScheduleTable = ({ schedules }: { readonly schedules: readonly Schedule[] }) => (
  <div class="table-wrap">
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Schedule</th>
          <th scope="col" class="hide-small">
            When
          </th>
          <th scope="col">Next</th>
          <th scope="col">Last</th>
        </tr>
      </thead>
      <tbody>
        {schedules.map((schedule) => (
          <Row key={schedule.name} schedule={schedule} />
        ))}
      </tbody>
    </table>
  </div>
);

const Row = ({ schedule }: { readonly schedule: Schedule }) => (
  <tr>
    <td class="wide">
      <strong>
        <Name text={schedule.name} />
      </strong>
      <div class="small">
        <a href={pathTo('typed', schedule.skill)}>
          <Name text={schedule.skill} />
        </a>
      </div>
      <div class="only-small">
        <Times schedule={schedule} />
      </div>
    </td>
    <td class="wide hide-small">
      <Times schedule={schedule} />
    </td>
    <td>{schedule.next_at === null ? <span class="muted">never</span> : <When at={schedule.next_at} isToCome />}</td>
    <td>
      <Last schedule={schedule} />
    </td>
  </tr>
);

/** In words where there are plain ones; what is written in any case. */
function Times({ schedule: { cron, timezone } }: { readonly schedule: Schedule }) {
  const words = cronWords(cron);
  return (
    <span class="times">
      {words !== undefined && <span class="sentence">{words}</span>}
      <span class="small muted">
        <code>{cron}</code> {timezone}
      </span>
    </span>
  );
}

function Last({
  schedule: { last_at, last_invocation_id, last_status, last_failure_code },
}: {
  readonly schedule: Schedule;
}) {
  if (last_at === null) return <span class="muted">not yet</span>;
  if (last_invocation_id === null || last_status === null) return <When at={last_at} />;
  return (
    <span class="times">
      <span class="pills">
        <StatusPill status={last_status} />
        {last_failure_code !== null && <span class="mono muted hide-small">{last_failure_code}</span>}
      </span>
      <a class="small" href={pathTo('runs', last_invocation_id)}>
        <When at={last_at} isInRow />
      </a>
    </span>
  );
}
