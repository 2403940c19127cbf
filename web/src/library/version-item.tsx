// A version of a skill: who made it and why, what it changes, and the decision on it. Rolling back shows the changes first.
import { useState } from 'preact/hooks';
import { withQuery } from '../api/ask.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Show } from '../components/states.tsx';
import { When } from '../components/when.tsx';
import { authorText, mayApprove, pathOf, shortDigest } from '../model/library.ts';
import type { LibraryDiff, LibraryList, LibraryVersion, Me } from '../model/shapes.ts';
import { DecideVersion } from './decide-version.tsx';
import { DiffView } from './diff-view.tsx';

interface VersionItemProps {
  readonly version: LibraryVersion;
  readonly current: LibraryVersion | undefined;
  /** All of this skill. */
  readonly versions: readonly LibraryVersion[];
  readonly review: LibraryList['review'] | undefined;
  readonly me: Me;
  /** Without a body it deletes. */
  readonly act: (path: string, body?: object) => Promise<boolean>;
}

const TONES = { proposed: 'warn', approved: 'plain good', rejected: 'bad' } as const;

export function VersionItem({ version, current, versions, review, me, act }: VersionItemProps) {
  const { name, digest, state, number, author, time, message, decision } = version;
  const [isOpen, setOpen] = useState(state === 'proposed');
  const from = current !== undefined && current.digest !== digest ? current.digest : (version.base ?? undefined);
  const rollBack = () => (isOpen ? act(pathOf(name, 'rollback'), { to: digest }) : setOpen(true));
  return (
    <li>
      <div class="version-head">
        <strong>Version {number}</strong>
        {version.current ? (
          <span class="pill plain good dot">current</span>
        ) : (
          <span class={`pill ${TONES[state]}`}>{state}</span>
        )}
        <span class="small muted">
          {authorText(author)} · <When at={time} /> · <code>{shortDigest(digest)}</code>
        </span>
      </div>
      <p class="break">{message}</p>
      {decision !== null && (state === 'rejected' || decision.message !== '') && (
        <p class="small break">
          {state === 'rejected' ? 'Rejected' : 'Approved'} by {authorText(decision.by)} <When at={decision.at} />
          {decision.message !== '' && `: ${decision.message}`}
        </p>
      )}
      <div class="form-tools">
        <button type="button" class="button little" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide changes' : 'Show changes'}
        </button>
        {mayApprove(me) && state === 'approved' && !version.current && (
          <button type="button" class="button little" onClick={rollBack}>
            {isOpen ? 'Serve this version' : 'Roll back to this version'}
          </button>
        )}
        {mayApprove(me) && state !== 'approved' && (
          <ConfirmButton
            what="Delete version"
            of={String(number)}
            isLittle
            confirm={() => act(pathOf(name, 'versions', digest))}
          />
        )}
      </div>
      {isOpen && <Changes name={name} from={from} to={digest} current={current} versions={versions} />}
      {mayApprove(me) && state === 'proposed' && <DecideVersion version={version} me={me} review={review} act={act} />}
    </li>
  );
}

interface ChangesProps {
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly current: LibraryVersion | undefined;
  readonly versions: readonly LibraryVersion[];
}

function Changes({ name, from, to, current, versions }: ChangesProps) {
  const loaded = useLoaded<LibraryDiff>(withQuery(pathOf(name, 'diff'), { from, to }));
  return (
    <>
      <p class="small">{besideText(from, current, versions)}</p>
      <Show loaded={loaded}>{(diff) => <DiffView diff={diff} />}</Show>
    </>
  );
}

function besideText(
  from: string | undefined,
  current: LibraryVersion | undefined,
  versions: readonly LibraryVersion[],
): string {
  if (from === undefined) return 'All of it is new.';
  if (from === current?.digest) return `Compared with version ${current.number}, the current one`;
  const base = versions.find(({ digest }) => digest === from);
  return `Compared with ${base === undefined ? shortDigest(from) : `version ${base.number}`}, which it was made from`;
}
