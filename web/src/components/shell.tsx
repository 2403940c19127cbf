// The frame of every page: where one can go, who one is, and whether something is wrong with the server.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLive } from '../api/live.ts';
import { useSessionWatch } from '../api/session-watch.ts';
import type { Me, ProblemList, Readiness } from '../api/shapes.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { tellBack } from '../api/when-back.ts';
import { asSentence, countText } from '../format.ts';
import { useListKeys } from '../list-keys.ts';
import type { Place } from '../router.ts';
import { useTheme } from '../theme.ts';
import { Banner } from './banner.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Unbroken } from './unbroken.tsx';

interface ShellProps {
  readonly me: Me;
  readonly place: Place;
  readonly signOut: () => void;
  readonly children: ComponentChildren;
}

export function Shell({ me, place, signOut, children }: ShellProps) {
  useListKeys();
  const { value, reload } = useLoaded<ProblemList>('/api/problems');
  // Also keeps the one stream open while pages come and go.
  useLive(me.may_read_log, ({ kind }) => kind === 'catalog' && reload());
  useSessionWatch(!me.may_read_log);
  const problems = value?.problems.length ?? 0;
  return (
    <div class="shell">
      <div class="side">
        <a class="brand" href="/">
          <Icon name="brand" size={22} />
          Repertoire
        </a>
        <nav class="nav" aria-label="Pages">
          {linksFor(me).map(({ name, section: own, label }) => (
            <a key={own} href={`/${own}`} aria-current={isCurrent(own, place.segments[0] ?? '') ? 'page' : undefined}>
              <Icon name={name} />
              {label}
              {name === 'problems' && problems > 0 && <span class="count">{countText(problems)}</span>}
            </a>
          ))}
        </nav>
        <Foot me={me} signOut={signOut} />
      </div>
      <main class="main">
        <ServerState />
        <Unbroken place={place}>{children}</Unbroken>
      </main>
    </div>
  );
}

interface NavLink {
  readonly name: IconName;
  readonly section: string;
  readonly label: string;
}

const linksFor = (me: Me): readonly NavLink[] => [
  { name: 'overview', section: '', label: 'Overview' },
  { name: 'skills', section: 'skills', label: 'Skills' },
  ...(me.may_read_log ? [{ name: 'invocations', section: 'invocations', label: 'Invocations' } as const] : []),
  { name: 'problems', section: 'problems', label: 'Problems' },
  ...(me.is_operator ? [{ name: 'agents', section: 'agents', label: 'Agents' } as const] : []),
];

const PARENT: Readonly<Record<string, string>> = { documents: 'skills', typed: 'skills', traces: 'invocations' };

const isCurrent = (own: string, section: string): boolean => own === (PARENT[section] ?? section);

function Foot({ me, signOut }: { readonly me: Me; readonly signOut: () => void }) {
  const [theme, toggleTheme] = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <div class="side-foot">
      <div class="who">
        {me.kind === 'operator' ? 'Operator' : `${me.kind} ${me.name}`}
        <br />
        <span class="small">
          {me.authentication === 'off' ? 'open to this machine' : 'signed in'} · {me.version}
        </span>
      </div>
      <div class="side-tools">
        <button type="button" class="button quiet little" onClick={toggleTheme} aria-label={`Use ${other} colours`}>
          <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
        </button>
        {me.authentication === 'on' && (
          <button type="button" class="button quiet little" onClick={signOut}>
            <Icon name="leave" /> Sign out
          </button>
        )}
      </div>
    </div>
  );
}

const LOOK_MS = 10_000;

/** Says what the server itself says, on every page. */
function ServerState() {
  const { value, trouble, reload } = useReadiness();
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [reload]);
  const isAway = trouble?.status === 0 || value?.status === 'degraded';
  const wasAway = useRef(false);
  useEffect(() => {
    if (wasAway.current && !isAway) tellBack();
    wasAway.current = isAway;
  }, [isAway]);
  if (trouble?.status === 0) return <Banner>The server does not answer. This page shows what it said last.</Banner>;
  const reasons = value?.status === 'degraded' ? value.reasons : [];
  if (reasons.length === 0) return <div role="status" />;
  return <Banner>{`${reasons.map(asSentence).join(' ')} Documents are served all the same.`}</Banner>;
}

/** 503 with a body of its own is an answer here. */
function useReadiness() {
  const loaded = useLoaded<Readiness>('/ready');
  const said = loaded.trouble?.status === 503 ? (loaded.trouble.body as Readiness | undefined) : undefined;
  return { ...loaded, value: said ?? loaded.value };
}
