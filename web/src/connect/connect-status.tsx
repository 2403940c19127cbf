// How far the host has come, as it happens; and what to do to see the rest.
import { useEffect, useRef } from 'preact/hooks';
import { useLoaded } from '../api/use-loaded.ts';
import { Command } from '../components/command.tsx';
import { Icon } from '../components/icons.tsx';
import { type ConnectionStep, findFirstName, stepsOf } from '../model/connection-steps.ts';
import type { Connection, DocumentList, Host } from '../model/shapes.ts';

interface ConnectStatusProps {
  readonly host: Host;
  /** In the middle of a sentence. */
  readonly name: string;
  readonly connection: Connection | undefined;
}

export function ConnectStatus({ host, name, connection }: ConnectStatusProps) {
  const steps = stepsOf(connection, host, name);
  const place = useRef<HTMLDivElement>(null);
  const isThere = connection !== undefined;
  // The reader comes back from a terminal: what happened there is to be seen, and the focus stays where it is.
  useEffect(() => {
    if (isThere) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isThere]);
  return (
    <div class="stack" ref={place}>
      {/* A screen reader says the line that changed, not all three. */}
      <div role="status" aria-atomic="false">
        <ul class="progress">
          {steps.map((step) => (
            <Line key={step.key} step={step} />
          ))}
        </ul>
      </div>
      {connection !== undefined && (connection.first_read === null ? <TryIt /> : <Done />)}
    </div>
  );
}

const Line = ({ step: { state, text } }: { readonly step: ConnectionStep }) => (
  <li class={state}>
    <span class="progress-mark" aria-hidden="true">
      {state === 'done' && <Icon name="check" size={14} />}
    </span>
    {state === 'done' && <span class="unseen">Done: </span>}
    <span class="break">{text}</span>
  </li>
);

/** Files without a usable name are listed, too (T2): among so many there is one with a name. */
const SOME = 100;

/** A skill that is there, by its name: every host finds it. */
function TryIt() {
  const { value } = useLoaded<DocumentList>(`/api/documents?limit=${SOME}`);
  const name = findFirstName(value?.documents ?? []);
  if (name === undefined) return null;
  return (
    <div class="stack tight">
      <p class="muted">Ask it to read one:</p>
      <Command text={`Load the skill ${name}.`} what="request" />
    </div>
  );
}

const Done = () => (
  <div class="form-tools">
    <a class="button primary" href="/">
      Open the overview
    </a>
    <a class="button quiet" href="/connect">
      Connect another host
    </a>
  </div>
);
