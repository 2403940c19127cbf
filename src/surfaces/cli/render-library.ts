// Versions of the library and what they change, for people and for programs. Pure: values in, lines out.
import type { Version } from '../../library/library.ts';
import type { LibraryDiffJson, LibraryVersionJson } from '../../operations/library-json.ts';
import { toOneLine } from '../../text/one-line.ts';
import { findingLines } from './finding-lines.ts';
import type { Layout } from './terminal/output.ts';
import { joinCells, layTable, tabLines } from './terminal/table.ts';
import { minuteText } from './terminal/time-text.ts';

const SHOWN_DIGITS = 12;

const shortName = ({ name, digest }: Pick<Version, 'name' | 'digest'>): string =>
  `${name}@${digest.slice(7, 7 + SHOWN_DIGITS)}`;

export function renderWaiting(versions: readonly Version[], { paint }: Layout): string {
  const { head, rows } = layTable(versions, [
    { title: 'version', text: shortName, paint: paint.bold },
    { title: 'by', text: ({ author }) => author, most: 32 },
    { title: 'since', text: ({ time }) => minuteText(time) },
    { title: 'message', text: ({ message }) => message, most: 60 },
  ]);
  return [paint.dim(joinCells(head)), ...rows.map(joinCells)].map((line) => `${line}\n`).join('');
}

/** For programs: NAME@DIGEST, author, time, message. */
export const waitingLines = (versions: readonly Version[]): string =>
  tabLines(
    versions.map(({ name, digest, author, time, message }) => [
      `${name}@${digest}`,
      author,
      time.toISOString(),
      message,
    ]),
  );

const stateText = ({ state, current }: LibraryVersionJson): string => (current ? 'served' : state);

export function renderVersions(versions: readonly LibraryVersionJson[], { paint }: Layout): string {
  const { head, rows } = layTable(versions, [
    { title: 'version', text: shortName, paint: paint.bold },
    { title: 'state', text: stateText, paint: (text, { current }) => (current ? paint.green(text) : text) },
    { title: 'by', text: ({ author }) => author, most: 32 },
    { title: 'made', text: ({ time }) => minuteText(new Date(time)) },
    { title: 'message', text: ({ message }) => message, most: 60 },
  ]);
  return [paint.dim(joinCells(head)), ...rows.map(joinCells)].map((line) => `${line}\n`).join('');
}

/** For programs: NAME@DIGEST, state (`served` for the current one), author, time, message. */
export const versionLines = (versions: readonly LibraryVersionJson[]): string =>
  tabLines(
    versions.map((each) => [`${each.name}@${each.digest}`, stateText(each), each.author, each.time, each.message]),
  );

/** New findings first: they are what a reviewer must not miss. */
export function renderDiff(version: Version, diff: LibraryDiffJson, layout: Layout): string {
  const { paint } = layout;
  const lines = [
    `${paint.bold(`${version.name}@${version.digest}`)} ${version.state}`,
    `by ${toOneLine(version.author)}, ${version.time.toISOString()}: ${toOneLine(version.message, 500)}`,
    diff.from === null ? paint.dim('beside nothing: there is no version before') : paint.dim(`beside ${diff.from}`),
    ...(diff.findings.length === 0 ? [] : ['', paint.yellow('New findings')]),
    ...diff.findings.flatMap((finding) => findingLines(finding, finding.path, 2, layout)),
    ...diff.files.flatMap((file) => ['', ...fileLines(file, layout)]),
  ];
  return `${lines.join('\n')}\n`;
}

const SIGNS = { added: '+', changed: '~', removed: '-' } as const;

function fileLines(file: LibraryDiffJson['files'][number], { paint }: Layout): readonly string[] {
  return [
    paint.bold(`${SIGNS[file.change]} ${toOneLine(file.path)}${modeText(file.executable)}`),
    ...(file.is_text ? [] : [paint.dim('  not a text that can be shown')]),
    ...(file.too_large ? [paint.yellow('  too many lines to show: export the version and look at it there')] : []),
    ...file.hunks.flatMap(({ from_line, to_line, lines }) => [
      paint.cyan(`  @@ line ${from_line} → ${to_line}`),
      ...lines.map(({ kind, text }) => {
        const line = toOneLine(text, 2_000);
        return kind === 'same'
          ? `    ${line}`
          : kind === 'added'
            ? paint.green(`  + ${line}`)
            : paint.red(`  - ${line}`);
      }),
    ]),
  ];
}

/** What a reviewer must know: a file that can be run. */
function modeText({ before, after }: LibraryDiffJson['files'][number]['executable']): string {
  if (before === null) return after === true ? ' (executable)' : '';
  if (before === after || after === null) return '';
  return after ? ' (executable now)' : ' (not executable any more)';
}
