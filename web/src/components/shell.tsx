// The frame of every page: where one can go, who one is, and whether something is wrong with the server.
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { createFreshTokens, FreshTokensContext } from '../api/fresh-tokens.ts';
import { onLibraryChanged } from '../api/library-news.ts';
import { useLive } from '../api/live.ts';
import { ServerStateContext, useServerState, useServerWatch } from '../api/server-state.ts';
import { useSessionWatch } from '../api/session-watch.ts';
import { useChange } from '../api/use-change.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { useRunsToDecide } from '../api/use-runs.ts';
import { useListKeys } from '../browser/list-keys.ts';
import { MENU_KEY, useMenuKey } from '../browser/menu-key.ts';
import type { Place } from '../browser/router.ts';
import { useTheme } from '../browser/theme.ts';
import { maySeeLibrary } from '../model/library.ts';
import type { LibraryList, Me, ProblemList } from '../model/shapes.ts';
import { whoBelow, whoText } from '../model/who.ts';
import { asSentence } from '../text/format.ts';
import { Banner, Banners } from './banner.tsx';
import { GoTo } from './go-to.tsx';
import { Icon } from './icons.tsx';
import { type Counts, Nav } from './nav.tsx';
import { navigationFor, pagesFor } from './navigation.ts';
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
  // What people may do changes while they are signed in.
  useSessionWatch(!me.may_read_log || me.kind === 'user');
  const state = useServerWatch(value);
  const versions = useWaiting(me, place);
  const runs = useRunsToDecide(me);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const openMenu = useCallback(() => setMenuOpen(true), []);
  useMenuKey(openMenu);
  const counts: Counts = {
    problems: { count: state.problems ?? 0, says: '' },
    library: { count: versions, says: ' waiting for review' },
    runs: { count: runs, says: ' waiting for you' },
  };
  return (
    <div class="shell">
      <header class="side">
        <a class="brand" href={me.may_read_log ? '/' : '/skills'}>
          <Icon name="brand" size={22} />
          Repertoire
        </a>
        <button type="button" class="go-to-open" aria-haspopup="dialog" onClick={openMenu}>
          <Icon name="search" size={16} /> Go to… <kbd>{MENU_KEY}</kbd>
        </button>
        <Nav groups={navigationFor(me)} section={place.segments[0] ?? ''} counts={counts} openMenu={openMenu} />
        <Foot me={me} signOut={signOut} />
      </header>
      {isMenuOpen && <GoTo pages={pagesFor(me)} close={() => setMenuOpen(false)} />}
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

/** How often what waits is looked for while pages are open. */
const LOOK_MS = 15_000;

/** Versions that wait for review; looked for again on each further page. */
function useWaiting(me: Me, { segments }: Place): number {
  const { value, reload } = useLoaded<LibraryList>(maySeeLibrary(me) ? '/api/library' : undefined);
  useEffect(() => {
    const timer = setInterval(reload, LOOK_MS);
    return () => clearInterval(timer);
  }, [reload]);
  // Not for the first one: asking again would take its question back, which the server takes for a failure.
  useChange(segments.join('/'), reload);
  useEffect(() => onLibraryChanged(reload), [reload]);
  return value?.skills.reduce((sum, { proposed }) => sum + proposed.length, 0) ?? 0;
}

function Foot({ me, signOut }: { readonly me: Me; readonly signOut: () => void }) {
  const [theme, toggleTheme] = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  const below = whoBelow(me);
  return (
    <div class="side-foot">
      <div class="who">
        <strong class="who-name">{me.kind === 'operator' ? 'Operator' : whoText(me)}</strong>
        {below !== undefined && <span class="small break">{below}</span>}
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
            <Icon name="leave" /> <span class="leave-word">Sign out</span>
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
  return <Banner>{`${reasons.map(asSentence).join(' ')} Documents are still served.`}</Banner>;
}
