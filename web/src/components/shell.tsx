// The frame of every page: where one can go, who one is, and whether something is wrong with the server.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { createFreshTokens, FreshTokensContext } from '../api/fresh-tokens.ts';
import { useLive } from '../api/live.ts';
import { ServerStateContext, useServerState, useServerWatch } from '../api/server-state.ts';
import { useSessionWatch } from '../api/session-watch.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { useListKeys } from '../browser/list-keys.ts';
import type { Place } from '../browser/router.ts';
import { useTheme } from '../browser/theme.ts';
import type { Me, ProblemList } from '../model/shapes.ts';
import { asSentence, countText } from '../text/format.ts';
import { Banner, Banners } from './banner.tsx';
import { Icon, type IconName } from './icons.tsx';
import { CommandsContext } from './own-command.tsx';
import { Unbroken } from './unbroken.tsx';

interface ShellProps {
  readonly me: Me;
  readonly place: Place;
  readonly signOut: () => void;
  /** What is to be told beside what the server says. */
  readonly notice: string | undefined;
  readonly children: ComponentChildren;
}

export function Shell({ me, place, signOut, notice, children }: ShellProps) {
  useListKeys();
  const [tokens] = useState(createFreshTokens);
  const { value, reload } = useLoaded<ProblemList>('/api/problems');
  // Also keeps the one stream open while pages come and go.
  useLive(me.may_read_log, ({ kind }) => kind === 'catalog' && reload());
  useSessionWatch(!me.may_read_log);
  const state = useServerWatch(value);
  const { problems = 0 } = state;
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
      <ServerStateContext.Provider value={state}>
        <main class="main">
          <Banners>
            {notice !== undefined && <Banner>{notice}</Banner>}
            <ServerBanner />
          </Banners>
          <CommandsContext.Provider value={me.commands}>
            <FreshTokensContext.Provider value={tokens}>
              <Unbroken place={place}>{children}</Unbroken>
            </FreshTokensContext.Provider>
          </CommandsContext.Provider>
        </main>
      </ServerStateContext.Provider>
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
  ...(me.may_read_log ? [{ name: 'activity', section: 'activity', label: 'Activity' } as const] : []),
  { name: 'problems', section: 'problems', label: 'Problems' },
  ...(me.is_operator ? OPERATOR_LINKS : []),
];

const OPERATOR_LINKS: readonly NavLink[] = [
  { name: 'agents', section: 'agents', label: 'Agents' },
  { name: 'connect', section: 'connect', label: 'Connect' },
];

const PARENT: Readonly<Record<string, string>> = {
  documents: 'skills',
  typed: 'skills',
  invocations: 'activity',
  traces: 'activity',
};

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

/** Says what the server itself says, on every page. */
function ServerBanner() {
  const { isSilent, reasons } = useServerState();
  if (isSilent) return <Banner>The server does not answer. This page shows what it said last.</Banner>;
  if (reasons.length === 0) return <div role="status" />;
  return <Banner>{`${reasons.map(asSentence).join(' ')} Documents are served all the same.`}</Banner>;
}
