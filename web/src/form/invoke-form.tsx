// Invokes a typed skill with what the form says, and shows what came of it.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { JsonSchema } from '../../../src/skills/check/json-schema.ts';
import { ask, type Trouble } from '../api/ask.ts';
import { useServerState } from '../api/server-state.ts';
import { bringIntoView } from '../browser/into-view.ts';
import { pathTo } from '../browser/router.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Card } from '../components/page.tsx';
import { ResultView } from '../components/result-view.tsx';
import { Failed } from '../components/states.tsx';
import type { AcceptedInvocation, Definition, InvocationAnswer, InvocationResult, Me } from '../model/shapes.ts';
import { type Violation, violationsElsewhere, violationsIn } from '../model/violations.ts';
import { durationText, plural } from '../text/format.ts';
import { asDrafts, type Draft, draftOf, fieldPaths, readDraft } from './draft.ts';
import { exampleInput } from './example-input.ts';
import { fieldOf } from './field-shape.ts';
import { commandText, curlText, withoutSecrets } from './invoke-commands.ts';
import { FormFields, SchemaField } from './schema-form.tsx';

type Ended = InvocationResult & { readonly correlation_id: string };

interface InvokeFormProps {
  readonly definition: Definition;
  readonly me: Me;
  /** An earlier input to begin with. */
  readonly start: unknown;
}

export function InvokeForm({ definition, me, start }: InvokeFormProps) {
  const schema = definition.input_schema;
  const [draft, setDraft] = useState(() => draftOf(schema, schema, start));
  const { run, forget, isRunning, ended, accepted, trouble, violations } = useInvocation(definition);
  const form = useRef<HTMLFormElement>(null);
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (violations.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    else if (ended !== undefined || accepted !== undefined || trouble !== undefined)
      showOutcome(form.current, outcome.current);
  }, [violations, ended, accepted, trouble]);
  const submit = (event: Event) => {
    event.preventDefault();
    if (isRunning) return;
    const { value, faults } = readDraft(schema, draft);
    const found = [...faults].map(([path, message]) => ({ path, message }));
    run(value, found);
  };
  const fillExample = () => {
    setDraft(draftOf(schema, schema, exampleInput(schema), { secrets: 'kept' }));
    forget();
  };
  return (
    <>
      <Card title="Invoke" note={`at most ${definition.timeout_seconds} s`}>
        <form ref={form} class="card-body" onSubmit={submit} noValidate>
          <WholeInput schema={schema} draft={draft} change={setDraft} violations={violations} />
          <Elsewhere violations={violationsElsewhere(violations, fieldPaths(schema, schema, draft))} />
          <div class="form-tools">
            <button type="submit" class="button primary" aria-disabled={isRunning}>
              {isRunning ? 'Running …' : 'Invoke'}
            </button>
            {hasFields(schema) && (
              <button type="button" class="button" onClick={fillExample}>
                Fill example
              </button>
            )}
            <CopyCommands definition={definition} me={me} draft={draft} />
          </div>
          {violations.length > 0 && <NotRun count={violations.length} ended={ended} me={me} />}
        </form>
      </Card>
      <p class="unseen" role="status">
        {isRunning && 'Running'}
      </p>
      <div ref={outcome} tabIndex={-1} class="outcome">
        {ended !== undefined && violations.length === 0 && <Outcome ended={ended} me={me} />}
        {accepted !== undefined && <Accepted id={accepted.invocation_id} />}
        {trouble !== undefined && (
          <div class="card">
            <Failed trouble={trouble} />
          </div>
        )}
      </div>
    </>
  );
}

/** A run that waits for a person, or goes on elsewhere. */
const Accepted = ({ id }: { readonly id: string }) => (
  <Card title="Stored">
    <div class="card-body">
      <p>The run has not ended yet: it waits for approval, or goes on, also when this page is closed.</p>
      <div class="form-tools">
        <a class="button primary" href={pathTo('runs', id)}>
          Open the run
        </a>
      </div>
    </div>
  </Card>
);

const hasFields = (schema: JsonSchema): boolean => {
  const { shape } = fieldOf(schema, schema);
  return shape.kind !== 'group' || shape.properties.length > 0;
};

interface CopyCommandsProps {
  readonly definition: Definition;
  readonly me: Me;
  readonly draft: Draft;
}

/** The same run from a terminal. What is no JSON yet is left out. */
function CopyCommands({ definition: { name, input_schema: schema }, me, draft }: CopyCommandsProps) {
  const invoked = () => ({ name, input: withoutSecrets(schema, readDraft(schema, draft).value) });
  return (
    <span class="pills">
      <CopyButton
        label="Copy as curl"
        text={() => curlText(invoked(), { origin: location.origin, authentication: me.authentication })}
      />
      {me.is_operator && <CopyButton label="Copy as command" text={() => commandText(invoked(), me.commands)} />}
    </span>
  );
}

/** The reader is taken to what came of it, unless they have gone on to something else meanwhile. */
function showOutcome(form: HTMLElement | null, outcome: HTMLElement | null): void {
  const { activeElement } = document;
  if (activeElement === document.body || form?.contains(activeElement)) bringIntoView(outcome);
}

interface WholeInputProps {
  readonly schema: JsonSchema;
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
  readonly violations: readonly Violation[];
}

/** Field by field; as one JSON text where the schema does not name its fields. */
function WholeInput({ schema, draft, change, violations }: WholeInputProps) {
  const { shape } = fieldOf(schema, schema);
  const place = { root: schema, path: [], violations };
  if (shape.kind !== 'group')
    return <SchemaField place={place} label="input" schema={schema} isRequired draft={draft} change={change} />;
  if (shape.properties.length === 0) return <p class="muted">This skill takes no input.</p>;
  return <FormFields place={place} properties={shape.properties} drafts={asDrafts(draft)} change={change} />;
}

/** What no field of the form bears. */
function Elsewhere({ violations }: { readonly violations: readonly Violation[] }) {
  if (violations.length === 0) return null;
  return (
    <p class="field-fault" role="alert">
      {violations.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')}
    </p>
  );
}

/** Only a durable skill may take longer. */
const LONGEST_PLAIN_SECONDS = 300;

/** A run that takes hours, or waits for a person, is not waited for. A workflow that is waited for is an ordinary call. */
const preferFor = ({ category, timeout_seconds }: Definition) =>
  category !== 'orchestration' || timeout_seconds > LONGEST_PLAIN_SECONDS ? { prefer: 'respond-async, wait=3' } : {};

function useInvocation(definition: Definition) {
  const [isRunning, setRunning] = useState(false);
  const [ended, setEnded] = useState<Ended | undefined>(undefined);
  const [accepted, setAccepted] = useState<AcceptedInvocation | undefined>(undefined);
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const [violations, setViolations] = useState<readonly Violation[]>([]);
  const run = async (input: unknown, faults: readonly Violation[]) => {
    setEnded(undefined);
    setAccepted(undefined);
    setTrouble(undefined);
    setViolations(faults);
    if (faults.length > 0) return;
    setRunning(true);
    const path = `/api/typed-skills/${encodeURIComponent(definition.name)}/invoke`;
    const answer = await ask<InvocationAnswer | AcceptedInvocation>(path, {
      method: 'POST',
      body: input,
      ...preferFor(definition),
    });
    setRunning(false);
    if (answer.ok)
      return isEnded(answer.value) ? setEnded(answer.value) : setAccepted(answer.value as AcceptedInvocation);
    const { body } = answer.trouble;
    setViolations(violationsIn(body));
    // A skill that failed answers a result; what never reached it does not.
    if (isEnded(body)) setEnded(body);
    else setTrouble(answer.trouble);
  };
  return {
    run: (input: unknown, faults: readonly Violation[]) => void run(input, faults),
    isRunning,
    ended,
    accepted,
    trouble,
    violations,
    /** What was wrong was wrong with other values. */
    forget: () => setViolations([]),
  };
}

interface NotRunProps {
  readonly count: number;
  /** `undefined`: it was not even sent. */
  readonly ended: Ended | undefined;
  readonly me: Me;
}

/** Beside the button that was pressed; what is wrong stands at the fields, and nowhere else. */
const NotRun = ({ count, ended, me }: NotRunProps) => (
  <p class="small muted" role="status">
    Not run: {plural(count, 'value needs', 'values need')} another look.{' '}
    {ended !== undefined && <InLog id={ended.invocation_id} me={me} />}
  </p>
);

const isEnded = (body: unknown): body is Ended =>
  typeof body === 'object' && body !== null && 'success' in body && 'invocation_id' in body;

const Outcome = ({ ended, me }: { readonly ended: Ended; readonly me: Me }) => (
  <Card
    title={ended.success ? 'Succeeded' : 'Failed'}
    note={<span class={`pill ${ended.success ? 'good' : 'bad'}`}>{durationText(ended.duration_ms)}</span>}
  >
    <div class="card-body">
      <ResultView result={ended} />
      <p class="small muted break">
        Correlation id <Correlation id={ended.correlation_id} isLinked={me.may_read_log} />
        {' · '}
        <InLog id={ended.invocation_id} me={me} />
      </p>
    </div>
  </Card>
);

/** Without the database the run goes on and its record is lost (X7); the answer does not tell. */
function InLog({ id, me }: { readonly id: string; readonly me: Me }) {
  const { reasons, look } = useServerState();
  const [isDoubtful, setDoubtful] = useState(false);
  useEffect(look, []);
  useEffect(() => setDoubtful((before) => before || reasons.length > 0), [reasons.length]);
  if (isDoubtful) return <>The database was away: this run may not be in the log.</>;
  // Those who may not read the log see their own (J2).
  return <a href={pathTo('invocations', id)}>{me.may_read_log ? 'Open in the log' : 'Open the invocation'}</a>;
}

const Correlation = ({ id, isLinked }: { readonly id: string; readonly isLinked: boolean }) =>
  isLinked ? (
    <a class="mono" href={pathTo('traces', id)}>
      {id}
    </a>
  ) : (
    <code>{id}</code>
  );
