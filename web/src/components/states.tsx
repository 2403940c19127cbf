// What a page shows while it has nothing to show: loading, empty, failed. Each says what to do next.
import type { ComponentChildren } from 'preact';
import type { Trouble } from '../api/ask.ts';
import type { Loaded } from '../api/use-loaded.ts';
import { Command } from './command.tsx';
import { OwnCommand, type OwnCommandProps } from './own-command.tsx';
import { Ticked } from './ticked.tsx';

export function Skeleton({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div class="card-body" aria-busy="true">
      <span class="unseen" role="status">
        Loading
      </span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="skeleton" style={{ width: `${90 - ((line * 23) % 50)}%` }} />
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** What to type next. */
  readonly command?: OwnCommandProps;
  /** What to write, where it is no command. */
  readonly example?: string;
}

export function Empty({ title, children, command, example }: EmptyProps) {
  return (
    <div class="notice empty">
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {command !== undefined && <OwnCommand {...command} />}
      {example !== undefined && <Command text={example} what="example" />}
    </div>
  );
}

/** What failed in words; the database that is away gets its own, because the rest goes on. */
export function Failed({ trouble, retry }: { readonly trouble: Trouble; readonly retry?: () => void }) {
  const { title, text } = explain(trouble);
  return (
    <div class="notice bad-edge" role="alert">
      <h2>{title}</h2>
      <p>
        <Ticked text={text} />
      </p>
      {trouble.correlationId !== undefined && trouble.status >= 500 && (
        <p class="small">
          Correlation id <code>{trouble.correlationId}</code>
        </p>
      )}
      {retry !== undefined && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

function explain({ status, code, reason, message, action }: Trouble): {
  readonly title: string;
  readonly text: string;
} {
  if (code === 'PERSISTENCE_ERROR')
    return {
      title: 'The database does not answer',
      text: 'What ran and what was read cannot be shown until it is back. Documents are still served.',
    };
  if (status === 403) return { title: 'Not for this token', text: message };
  if (reason === 'nothing_recorded')
    return {
      title: 'Nothing is recorded',
      text: 'The server was started with `--no-log`. Start it without to see what runs and what is read.',
    };
  if (status === 404) return { title: 'Not found', text: message };
  return { title: message, text: action };
}

interface ShowProps<T> {
  readonly loaded: Loaded<T>;
  readonly lines?: number;
  readonly children: (value: T) => ComponentChildren;
}

/** The value, or what there is instead. A value that is being asked for again stays where it is. */
export function Show<T>({ loaded, lines, children }: ShowProps<T>) {
  const { value, trouble, isLoading, reload } = loaded;
  if (trouble !== undefined && value === undefined) return <Failed trouble={trouble} retry={reload} />;
  if (value === undefined) return <Skeleton {...(lines === undefined ? {} : { lines })} />;
  return (
    <div aria-busy={isLoading}>
      {children(value)}
      {trouble !== undefined && <Failed trouble={trouble} retry={reload} />}
    </div>
  );
}
