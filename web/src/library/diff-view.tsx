// What one version changes in another, file by file: as one text or side by side; findings that are new come first.
import { useState } from 'preact/hooks';
import { SeverityPill } from '../components/pills.tsx';
import { type LinePair, type NumberedLine, numberLines, pairLines } from '../model/diff-lines.ts';
import type { LibraryDiff } from '../model/shapes.ts';
import { plural } from '../text/format.ts';

type FileChange = LibraryDiff['files'][number];

export function DiffView({ diff }: { readonly diff: LibraryDiff }) {
  const [isWide, setWide] = useState(false);
  return (
    <div class="diff">
      <div class="form-tools">
        <span class="small">
          {diff.files.length === 0 ? 'No file differs.' : `${plural(diff.files.length, 'file')} changed`}
        </span>
        <fieldset class="segments">
          <legend class="unseen">How lines are shown</legend>
          <button type="button" aria-pressed={!isWide} onClick={() => setWide(false)}>
            Inline
          </button>
          <button type="button" aria-pressed={isWide} onClick={() => setWide(true)}>
            Side by side
          </button>
        </fieldset>
      </div>
      {diff.findings.length > 0 && <NewFindings findings={diff.findings} />}
      {diff.files.map((file) => (
        <FileDiff key={file.path} file={file} isWide={isWide} found={linesWithFindings(diff, file.path)} />
      ))}
    </div>
  );
}

const NewFindings = ({ findings }: Pick<LibraryDiff, 'findings'>) => (
  <div class="notice bad-edge">
    <h3>{plural(findings.length, 'new finding')} in this version</h3>
    <ul class="finding-list">
      {findings.map(({ path, line, rule, severity, message, excerpt }) => (
        <li key={`${path} ${line} ${rule} ${message}`}>
          <SeverityPill severity={severity} /> <code class="break">{`${path}:${line}`}</code> {message}{' '}
          <code class="break">{excerpt}</code>
        </li>
      ))}
    </ul>
  </div>
);

const linesWithFindings = ({ findings }: LibraryDiff, path: string): ReadonlySet<number> =>
  new Set(findings.filter((finding) => finding.path === path).map(({ line }) => line));

interface FileDiffProps {
  readonly file: FileChange;
  readonly isWide: boolean;
  readonly found: ReadonlySet<number>;
}

function FileDiff({ file, isWide, found }: FileDiffProps) {
  const { before, after } = file.executable;
  return (
    <details open={file.hunks.length > 0 || file.too_large} class="diff-file">
      <summary>
        <span class={`pill ${TONES[file.change]}`}>{file.change}</span> <code class="break">{file.path}</code>{' '}
        {before !== after && after === true && <span class="pill warn">executable</span>}
      </summary>
      {!file.is_text && <p class="small">Not a text that can be shown.</p>}
      {file.too_large && <p class="small">Too many lines to show here: export the version and look at it there.</p>}
      {file.hunks.map((hunk) => (
        <table key={`${hunk.from_line} ${hunk.to_line}`} class="diff-lines">
          <tbody>
            {isWide
              ? pairLines(hunk).map((pair) => <Pair key={keyOf(pair)} pair={pair} found={found} />)
              : numberLines(hunk).map((line) => <Line key={`${line.old} ${line.now}`} line={line} found={found} />)}
          </tbody>
        </table>
      ))}
    </details>
  );
}

const TONES = { added: 'good', removed: 'bad', changed: 'info' } as const;
const SIGNS = { same: ' ', added: '+', removed: '−' } as const;

/** A line of the version that has a finding. */
const markOf = (line: NumberedLine | undefined, found: ReadonlySet<number>): string =>
  line?.now !== undefined && found.has(line.now) ? ' diff-found' : '';

interface LineProps {
  readonly line: NumberedLine;
  readonly found: ReadonlySet<number>;
}

const Line = ({ line, found }: LineProps) => (
  <tr class={`diff-${line.kind}${markOf(line, found)}`}>
    <td class="diff-number">{line.old}</td>
    <td class="diff-number">{line.now}</td>
    <td class="diff-text">
      {SIGNS[line.kind]} {line.text}
    </td>
  </tr>
);

const keyOf = ({ old, now }: LinePair): string => `${old?.old} ${now?.now}`;

const Pair = ({ pair: { old, now }, found }: { readonly pair: LinePair; readonly found: ReadonlySet<number> }) => (
  <tr>
    <Half line={old} number={old?.old} mark="" />
    <Half line={now} number={now?.now} mark={markOf(now, found)} />
  </tr>
);

interface HalfProps {
  readonly line: NumberedLine | undefined;
  readonly number: number | undefined;
  readonly mark: string;
}

const Half = ({ line, number, mark }: HalfProps) => (
  <>
    <td class={`diff-number diff-${line?.kind ?? 'none'}${mark}`}>{number}</td>
    <td class={`diff-text diff-half diff-${line?.kind ?? 'none'}`}>
      {line !== undefined && `${SIGNS[line.kind]} ${line.text}`}
    </td>
  </>
);
