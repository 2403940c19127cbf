// One invocation: who ran what with which input, how long it took, what came out; of a run also its attempts, and what may be done
// with it.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Trouble, withQuery } from '../api/ask.ts';
import { useChange } from '../api/use-change.ts';
import { useFresh } from '../api/use-fresh.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { loadRun, useRunActions } from '../api/use-runs.ts';
import { pathTo } from '../browser/router.ts';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Crumb } from '../components/crumb.tsx';
import { DecideRun } from '../components/decide-run.tsx';
import { JsonView } from '../components/json-view.tsx';
import { NeedsLog } from '../components/needs-log.tsx';
import { Card, Page } from '../components/page.tsx';
import { StatusPill } from '../components/pills.tsx';
import { ResultView } from '../components/result-view.tsx';
import { RunAttempts } from '../components/run-attempts.tsx';
import { RunPill } from '../components/run-pill.tsx';
import { RunProgress } from '../components/run-progress.tsx';
import { Empty, Failed, Skeleton } from '../components/states.tsx';
import { When } from '../components/when.tsx';
import { grantWords } from '../model/grant-words.ts';
import { runState, starterText } from '../model/run-state.ts';
import type { InvocationWithResult, Me } from '../model/shapes.ts';
import { durationText, fullTimeText } from '../text/format.ts';

interface InvocationPageProps {
  readonly id: string;
  readonly me: Me;
  /** The list that leads here. */
  readonly from: 'activity' | 'runs';
}

export function InvocationPage({ id, me, from }: InvocationPageProps) {
  const { value, isHidden, trouble, reload, show } = useInvocation(id, me);
  const title = from === 'runs' ? 'Run' : 'Invocation';
  if (value === undefined && from === 'activity' && isOfLog(trouble, me)) return <NeedsLog me={me} title={title} />;
  // Also one that was to be seen by the right to decide, which is gone.
  if (value === undefined || (isHidden && !me.may_decide_runs))
    return (
      <Page title={title} crumb={<Crumb to={listFor(me, from)} />}>
        <div class="card">
          {trouble === undefined ? (
            <Skeleton lines={8} />
          ) : isNotThere(trouble) ? (
            <NotThere me={me} />
          ) : (
            <Failed trouble={trouble} retry={reload} />
          )}
        </div>
      </Page>
    );
  return <Shown value={value} isHidden={isHidden} me={me} from={from} show={show} />;
}

/** Their own callers see without the log (J2). What they are not shown is in the log, or nowhere: which of the two is not told. */
const isOfLog = (trouble: Trouble | undefined, me: Me): boolean =>
  !me.may_read_log && trouble !== undefined && isNotThere(trouble);

/** To try again leads nowhere. */
const isNotThere = ({ status, reason }: Trouble): boolean => status === 404 && reason === undefined;

const NotThere = ({ me }: { readonly me: Me }) =>
  me.may_read_log ? (
    <Empty title="Not found">The log has nothing with this id: it may be older than what the log keeps.</Empty>
  ) : (
    <Empty
      title="Not found"
      command={{
        words: me.kind === 'user' ? grantWords(me, '--scope log:read') : 'agent add NAME --scope log:read',
        reach: 'store',
      }}
    >
      You have no run with this id. Those of others need the scope log:read:
    </Empty>
  );

const listFor = (me: Me, from: InvocationPageProps['from']) =>
  from === 'activity' && !me.may_read_log ? 'skills' : from;

/** What was answered to an action counts until the next look: where another person decided, there is no more to see. */
function useInvocation(id: string, me: Me) {
  const load = useMemo(() => loadRun(me), [me.may_decide_runs, me.may_read_log]);
  const { value, trouble, reload } = useLoaded<InvocationWithResult>(`/api/invocations/${encodeURIComponent(id)}`, {
    load,
  });
  // Who may decide and cancel is part of it.
  useChange(me, reload);
  const [told, setTold] = useState<InvocationWithResult | undefined>(undefined);
  useEffect(() => {
    if (value !== undefined && trouble === undefined) setTold(undefined);
  }, [value, trouble]);
  const shown = told ?? value;
  const isHidden = shown !== undefined && trouble?.status === 404;
  useFresh(
    me,
    () => shown?.result === null && !isHidden && reload(),
    (event) => event.kind === 'tick' || (event.kind === 'run' && event.id === id) || isOf(event, id),
  );
  const show = (next: InvocationWithResult) => {
    setTold(next);
    reload();
  };
  return { value: shown, isHidden, trouble, reload, show };
}

const isOf = (event: { readonly kind: string; readonly invocation?: { readonly id: string } }, id: string): boolean =>
  event.kind === 'invocation' && event.invocation?.id === id;

interface ShownProps extends Omit<InvocationPageProps, 'id'> {
  readonly value: InvocationWithResult;
  /** It was to be seen until it was decided on. */
  readonly isHidden: boolean;
  readonly show: (value: InvocationWithResult) => void;
}

function Shown({ value, isHidden, me, from, show }: ShownProps) {
  const { invocation, result } = value;
  const about = useRef<HTMLElement | null>(null);
  const { act, isBusy, trouble } = useRunActions(invocation.id, (next) => {
    // The answer removes the button, so the focus moves to the outcome.
    about.current?.focus();
    show(next);
  });
  const cancel = value.may_cancel === true ? () => act('cancel') : undefined;
  return (
    <Page
      title={invocation.skill_name}
      crumb={<Crumb to={listFor(me, from)} />}
      tools={<Tools invocation={invocation} me={me} cancel={cancel} />}
    >
      <p class="unseen" role="status">
        {value.attempts !== undefined && runState(invocation.status, value).word}
      </p>
      <DecideRun run={value} me={me} act={act} isBusy={isBusy} trouble={trouble} />
      {trouble !== undefined && value.may_decide !== true && (
        <div class="card">
          <Failed trouble={trouble} />
        </div>
      )}
      <About value={value} me={me} place={about} />
      {value.attempts !== undefined && <RunAttempts run={value} me={me} />}
      <div class="halves">
        <Card title="Input" note="without its secrets">
          <div class="card-body">
            <JsonView value={invocation.input_payload} label="Input values" />
          </div>
        </Card>
        <Card title="Result">
          {result === null ? (
            <NotEnded isHidden={isHidden} />
          ) : (
            <div class="card-body">
              <ResultView result={result} />
            </div>
          )}
        </Card>
      </div>
    </Page>
  );
}

const NotEnded = ({ isHidden }: { readonly isHidden: boolean }) =>
  isHidden ? (
    <Empty title="It was decided on">How it goes on is for its caller, and for those with the scope log:read.</Empty>
  ) : (
    <Empty title="It has not ended yet">The result appears here by itself.</Empty>
  );

interface ToolsProps extends Pick<InvocationWithResult, 'invocation'> {
  readonly me: Me;
  /** Absent: it may not be cancelled, or has ended. */
  readonly cancel: (() => void) | undefined;
}

const Tools = ({ invocation, me, cancel }: ToolsProps) => (
  <div class="pills">
    {cancel !== undefined && (
      <ConfirmButton what="Cancel run" of={invocation.skill_name} leave="Keep" confirm={cancel} />
    )}
    {me.may_read_log && (
      <a class="button" href={pathTo('traces', invocation.correlation_id)}>
        Trace
      </a>
    )}
    {me.may_invoke.includes(invocation.skill_name) && (
      <a class="button" href={`${pathTo('typed', invocation.skill_name)}?from=${encodeURIComponent(invocation.id)}`}>
        Open in the form
      </a>
    )}
  </div>
);

interface AboutProps {
  readonly value: InvocationWithResult;
  readonly me: Me;
  readonly place: { current: HTMLElement | null };
}

const About = ({ value, me, place }: AboutProps) => {
  const { invocation, result, attempts, progress } = value;
  const isRun = attempts !== undefined;
  return (
    <Card
      title="About"
      place={place}
      note={isRun ? <RunPill status={invocation.status} run={value} /> : <StatusPill status={invocation.status} />}
    >
      <div class="card-body">
        <dl class="facts">
          <dt>Skill</dt>
          <dd>
            <Skill name={invocation.skill_name} me={me} />
          </dd>
          <dt>{isRun ? 'Started by' : 'Agent'}</dt>
          <dd>
            <Starter name={invocation.invoking_agent} me={me} />
          </dd>
          <dt>Started</dt>
          <dd>
            {fullTimeText(new Date(invocation.timestamp))}{' '}
            <span class="muted">
              (<When at={invocation.timestamp} />)
            </span>
          </dd>
          {result === null && progress !== null && progress !== undefined && (
            <>
              <dt>Progress</dt>
              <dd>
                <RunProgress progress={progress} />
              </dd>
            </>
          )}
          <dt>Took</dt>
          <dd>{result === null ? unendedText(value) : durationText(result.duration_ms)}</dd>
          <dt>Correlation id</dt>
          <dd>
            {me.may_read_log ? (
              <a class="mono" href={pathTo('traces', invocation.correlation_id)}>
                {invocation.correlation_id}
              </a>
            ) : (
              <span class="mono">{invocation.correlation_id}</span>
            )}
          </dd>
          <dt>Invocation id</dt>
          <dd class="mono">{invocation.id}</dd>
        </dl>
      </div>
    </Card>
  );
};

const unendedText = (value: InvocationWithResult): string =>
  value.invocation.status === 'pending' ? 'not started yet' : 'still running';

/** Leads on where there is a page for this viewer. */
const Skill = ({ name, me }: { readonly name: string; readonly me: Me }) =>
  me.may_invoke.includes(name) ? <a href={pathTo('typed', name)}>{name}</a> : name;

const Starter = ({ name, me }: { readonly name: string; readonly me: Me }) =>
  me.may_read_log ? (
    <a href={withQuery('/activity', { agent: name })}>{starterText(name, me)}</a>
  ) : (
    starterText(name, me)
  );
