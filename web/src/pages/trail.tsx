// Who changed what, day by day, and the head to keep elsewhere (L5). For the operator and those who approve.
import { useTrail } from '../api/use-trail.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Name } from '../components/name.tsx';
import { Card, Page } from '../components/page.tsx';
import { Empty, Failed, Show } from '../components/states.tsx';
import { When } from '../components/when.tsx';
import { grantWords } from '../model/grant-words.ts';
import type { Me, TrailEntry } from '../model/shapes.ts';
import { type TrailDay, trailDays, trailWords } from '../model/trail-words.ts';
import { plural } from '../text/format.ts';

const LEDE = 'Who changed what, kept for good. Each entry is sealed together with the one before it.';

export function TrailPage({ me }: { readonly me: Me }) {
  const { first, entries, hasMore, trouble, loadMore } = useTrail(me.may_read_trail);
  if (!me.may_read_trail) return <NotAllowed me={me} />;
  if (first.value === undefined)
    return (
      <Page title="Trail" lede={LEDE}>
        <div class="card">
          <Show loaded={first} lines={6}>
            {() => undefined}
          </Show>
        </div>
      </Page>
    );
  const failed = trouble ?? first.trouble;
  return (
    <Page title="Trail" lede={LEDE} tools={<Head head={first.value.head} />}>
      {entries.length === 0 && <None />}
      {trailDays(entries).map((day) => (
        <Day key={day.entries[0]?.seq} day={day} />
      ))}
      {failed !== undefined && (
        <div class="card">
          <Failed trouble={failed} />
        </div>
      )}
      {hasMore && (
        <div class="more">
          <button type="button" class="button" onClick={loadMore}>
            Show more
          </button>
        </div>
      )}
    </Page>
  );
}

/** So much of the hash tells two heads apart at a glance; the whole is copied. */
const SHOWN_DIGITS = 12;

const Head = ({ head }: { readonly head: string }) => (
  <span class="command" title="Keep it elsewhere: trail --verify --head finds out when the end is cut off">
    <code>
      Head {head.slice(0, head.indexOf(':') + 1 + SHOWN_DIGITS)}
      <span aria-hidden="true">…</span>
    </code>
    <CopyButton text={() => head} what="head of the trail" />
  </span>
);

const Day = ({ day: { heading, entries } }: { readonly day: TrailDay }) => (
  <Card title={heading} note={plural(entries.length, 'change')}>
    <ol class="timeline">
      {entries.map((entry) => (
        <Entry key={entry.seq} entry={entry} />
      ))}
    </ol>
  </Card>
);

function Entry({ entry }: { readonly entry: TrailEntry }) {
  const { who, did, subject, how } = trailWords(entry);
  return (
    <li>
      <p>
        <span class="muted">{who}</span> {did}{' '}
        {subject !== undefined && (
          <strong>
            <Name text={subject} />
          </strong>
        )}
        {how !== '' && ` ${how}`}
      </p>
      <span class="stamp muted">
        <span class="mono">#{entry.seq}</span> <When at={entry.time} />
      </span>
    </li>
  );
}

const None = () => (
  <div class="card">
    <Empty title="No entries yet" command={{ words: 'agent add NAME', reach: 'store' }}>
      An agent that is added or revoked appears here, and so does a new operator token. Add an agent in{' '}
      <a href="/agents">Agents</a>, or on the server's machine:
    </Empty>
  </div>
);

const NotAllowed = ({ me }: { readonly me: Me }) => (
  <Page title="Trail" lede={LEDE}>
    <div class="card">{me.kind === 'user' ? <ForPerson me={me} /> : <ForAgent me={me} />}</div>
  </Page>
);

const ForPerson = ({ me }: { readonly me: Me }) => (
  <Empty
    title="This page needs the scope skills:approve"
    command={{ words: grantWords(me, '--scope skills:approve'), reach: 'store' }}
  >
    The operator can grant you the scope:
  </Empty>
);

const ForAgent = ({ me }: { readonly me: Me }) => (
  <Empty
    title="This token may not read the trail"
    command={{ words: 'agent add NAME --scope skills:approve', reach: 'store' }}
  >
    The agent {me.name} has no scope <code>skills:approve</code>. It is for the operator's token, or for an agent's with
    this scope:
  </Empty>
);
