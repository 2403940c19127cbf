// One source of pinned skills: where it is, which commit, what does not match its lock, and its skills.
import type { Source, SourceCheck } from '../model/shapes.ts';
import { plural } from '../text/format.ts';
import { shellWord } from '../text/shell-word.ts';
import { OwnCommand } from './own-command.tsx';

const TONES = { ready: 'plain good', missing: 'bad', changed: 'bad' } as const satisfies Record<
  Source['state'],
  string
>;

interface SourceCardProps {
  readonly source: Source;
  /** Absent: it was not asked. */
  readonly newer: SourceCheck | undefined;
}

export const SourceCard = ({ source, newer }: SourceCardProps) => (
  <section class="card" aria-label={source.source}>
    <header>
      <h2 class="break">{source.source}</h2>
      <span class={`pill dot ${TONES[source.state]}`}>{source.state}</span>
    </header>
    <div class="card-body">
      <Facts source={source} />
      {newer !== undefined && <Newer newer={newer} />}
      {source.difference_count > 0 && <Differences source={source} />}
    </div>
  </section>
);

const Facts = ({ source: { ref, commit, paths, skills, lock } }: { readonly source: Source }) => (
  <dl class="facts">
    <dt>Ref</dt>
    <dd class={ref === null ? 'muted' : 'mono'}>{ref ?? 'default branch'}</dd>
    <dt>Commit</dt>
    <dd class="mono">{commit}</dd>
    <dt>Folders</dt>
    <dd class={paths.length === 0 ? 'muted' : 'mono'}>{paths.length === 0 ? 'all' : paths.join(', ')}</dd>
    <dt>Lock</dt>
    <dd>{lock === 'project' ? 'this project' : 'all projects'}</dd>
    <dt>Skills</dt>
    <dd>
      <Skills skills={skills} />
    </dd>
  </dl>
);

function Newer({ newer: { newest, is_outdated, reason, source } }: { readonly newer: SourceCheck }) {
  if (newest === null)
    return (
      <p class="break">
        <span class="pill warn">not known</span> {reason}
      </p>
    );
  if (!is_outdated)
    return (
      <p>
        <span class="pill good">up to date</span>
      </p>
    );
  return (
    <div>
      <p>
        <span class="pill info">newer</span> It is at <span class="mono">{newest.slice(0, 7)}</span> now. To see what
        changes, and decide, run on the server's machine:
      </p>
      <OwnCommand words={`update ${shellWord(source)}`} reach="sources" />
    </div>
  );
}

const WHOLE = {
  missing: 'not on this machine',
  changed: 'not what the lock says',
  extra: 'not in the lock',
  mode: 'executable in one, not in the other',
  lock: 'the lock was changed since it was fetched',
} as const satisfies Record<Source['differences'][number]['what'], string>;

function placeOf(skill: string, path: string, what: keyof typeof WHOLE): string {
  if (what === 'lock') return [skill, path].filter((part) => part !== '').join(' ');
  return path === '' ? skill : `${skill === '.' ? '' : `${skill}/`}${path}`;
}

const Differences = ({ source: { differences, difference_count } }: { readonly source: Source }) => (
  <div>
    <h3>{plural(difference_count, 'difference')} from the lock</h3>
    <ul class="source-differences">
      {differences.map(({ skill, path, what }) => (
        <li key={`${skill} ${path} ${what}`} class="break">
          <span class="mono">{placeOf(skill, path, what)}</span>: {WHOLE[what]}
        </li>
      ))}
      {difference_count > differences.length && <li class="muted">and {difference_count - differences.length} more</li>}
    </ul>
    <p>What does not match is not served. Bring it back on the server's machine, in its project:</p>
    <OwnCommand words="sync" reach="sources" />
  </div>
);

/** So many are shown at once. */
const FEW = 12;

function Skills({ skills }: Pick<Source, 'skills'>) {
  const names = (
    <ul class="source-skills">
      {skills.map(({ name, uri, digest, is_served }) => (
        <li key={uri} title={digest}>
          {is_served ? (
            <a href={`/documents/${encodeURIComponent(name)}`}>{name}</a>
          ) : (
            <span class="muted">{name} (not served by its name)</span>
          )}
        </li>
      ))}
    </ul>
  );
  if (skills.length <= FEW) return names;
  return (
    <details class="source-more">
      <summary>Show the {skills.length} skills</summary>
      {names}
    </details>
  );
}
