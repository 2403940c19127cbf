// The library as JSON: skills, versions, differences (L3); and what a refused change says.

import { type Caller, makersOf, mayApprove, personKey } from '../identity/caller.ts';
import { actorOf } from '../identity/trail.ts';
import type { Comparison } from '../library/compare-versions.ts';
import {
  type Actor,
  type Library,
  type LibraryRefusal,
  type LibrarySkill,
  VERSION_STATES,
  type Version,
} from '../library/library.ts';
import { fail, type Result } from '../values/result.ts';
import type { Answer, Refusal } from './operation.ts';
import { choice, flag, list, moment, record, type TypeOf, text, whole } from './shape.ts';

export interface LibraryPorts {
  readonly library: Library;
  /** Of a server: what is current is looked for at once, and not only when it hears of it. */
  readonly refreshLibrary?: (() => void) | undefined;
}

const digest = text().about('`sha256:` and 64 digits: what the version is addressed by');

export const librarySkill = record({
  name: text(),
  current: digest.nullable().about('The digest of the version that is served; null: none'),
  newest: digest.about('The digest of the version that was made last'),
  proposed: list(digest).about('Digests of the versions that wait for a decision, oldest first'),
})
  .about('A skill of the library')
  .named('LibrarySkill');

const decision = record({ by: text(), at: moment, message: text() })
  .about('Who decided on a version, when and why')
  .named('VersionDecision');

const versionFields = {
  name: text(),
  digest,
  number: whole({ least: 1 }).about('1 is the first of this name'),
  state: choice(VERSION_STATES),
  current: flag.about('It is what is served'),
  author: text().about('`local` for the operator, `agent:NAME` or `user:EMAIL`'),
  time: moment,
  message: text(),
  base: digest.nullable().about('What it was made from, as its author said'),
  decision: decision.nullable().about('null while it waits'),
};

export const libraryVersion = record(versionFields).about('A version of a skill').named('LibraryVersion');

const versionFile = record({
  path: text(),
  text: text().about('Of a file that is text').optional(),
  base64: text().about('Of any other').optional(),
  executable: flag,
  size: whole(),
  digest,
}).named('LibraryFile');

export const wholeVersion = record({ ...versionFields, files: list(versionFile) }).named('LibraryVersionWithFiles');

const diffLine = record({ kind: choice(['same', 'removed', 'added']), text: text() }).named('DiffLine');

const hunk = record({
  from_line: whole().about('The first line in `from`'),
  to_line: whole().about('The first line in `to`'),
  lines: list(diffLine),
}).named('DiffHunk');

export const newFinding = record({
  path: text(),
  rule: text(),
  severity: choice(['high', 'medium', 'low']),
  line: whole(),
  message: text(),
  fix: text(),
  excerpt: text(),
}).named('NewFinding');

export const libraryDiff = record({
  name: text(),
  from: digest.nullable(),
  to: digest,
  files: list(
    record({
      path: text(),
      change: choice(['added', 'removed', 'changed']),
      is_text: flag.about('false: it has no lines to compare'),
      too_large: flag.about('Its lines are left out: those of all files are too many for one answer'),
      executable: record({ before: flag.nullable(), after: flag.nullable() }),
      size: record({ before: whole().nullable(), after: whole().nullable() }),
      hunks: list(hunk),
    }).named('FileChange'),
  ),
  findings: list(newFinding).about('What looks suspicious in `to` and was not in `from`'),
}).named('LibraryDiff');

export type LibraryVersionJson = TypeOf<typeof libraryVersion>;
export type LibrarySkillJson = TypeOf<typeof librarySkill>;
export type LibraryDiffJson = TypeOf<typeof libraryDiff>;

export const skillJson = ({ name, current, newest, proposed }: LibrarySkill): LibrarySkillJson => ({
  name,
  current,
  newest,
  proposed,
});

export const versionJson = (version: Version): LibraryVersionJson => ({
  name: version.name,
  digest: version.digest,
  number: version.number,
  state: version.state,
  current: version.isCurrent,
  author: version.author,
  time: version.time.toISOString(),
  message: version.message,
  base: version.base,
  decision: version.decision
    ? { by: version.decision.by, at: version.decision.at.toISOString(), message: version.decision.message }
    : null,
});

export const diffJson = (
  name: string,
  from: string | null,
  to: string,
  { files, findings }: Comparison,
): LibraryDiffJson => ({
  name,
  from,
  to,
  files: files.map(({ path, change, isText, isTooLarge, executable, size, hunks }) => ({
    path,
    change,
    is_text: isText,
    too_large: isTooLarge,
    executable,
    size,
    hunks: hunks.map(({ before, after, lines }) => ({ from_line: before, to_line: after, lines })),
  })),
  findings: findings.map(({ path, rule, severity, line, message, fix, excerpt }) => ({
    path,
    rule,
    severity,
    line,
    message,
    fix,
    excerpt,
  })),
});

export const actorFor = (caller: Caller): Actor => ({
  name: actorOf(caller),
  key: personKey(caller),
  makers: makersOf(caller),
  mayApprove: mayApprove(caller),
  isOperator: caller.kind === 'operator',
});

/** A refused change as every surface says it. */
export function libraryAnswer<T>(outcome: Result<T, LibraryRefusal>): Answer<T> {
  return outcome.ok ? outcome : fail(refusalOf(outcome.failure));
}

function refusalOf(refusal: LibraryRefusal): Refusal {
  if (refusal.kind === 'missing') return { code: 'NOT_FOUND', said: refusal.said };
  if (refusal.kind === 'state') return { code: 'VALIDATION_ERROR', said: refusal.said, isConflict: true };
  if (refusal.kind === 'own')
    return {
      code: 'UNAUTHORIZED',
      said: 'review is on, and authors cannot approve their own versions; ask another approver',
    };
  const newest = refusal.newest === null ? 'there is no version yet' : `the newest version is ${refusal.newest}`;
  const said = `base: it was made from ${refusal.base}, and ${newest}; look at that one and send your change again`;
  return { code: 'VALIDATION_ERROR', said, isConflict: true };
}
