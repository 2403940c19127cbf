// What changes the library, each as one transaction: the change, the message to all replicas when other bytes are served by it, and
// its entries in the trail (L2, L4, L5).

import type { TrailAction, TrailNote } from '../identity/trail.ts';
import {
  type Actor,
  type Choice,
  LIBRARY_TOPIC,
  type LibraryRefusal,
  type LibrarySkill,
  type Made,
  type NewVersion,
  type ReviewPolicy,
  type Version,
} from '../library/library.ts';
import { noSkill, noVersion } from '../library/refusals.ts';
import { storableText } from '../text/storable-text.ts';
import { fail, ok, type Result } from '../values/result.ts';
import { announce } from './event-table.ts';
import { deleteFiles, hasFiles } from './library-files.ts';
import {
  authorKeyOf,
  filesText,
  isAuthor,
  type KeptVersion,
  SELECT_POLICY,
  selectNewest,
  selectVersions,
  toVersion,
} from './library-rows.ts';
import { type Dialect, plain, type Row, type Statement, type Steps, sql } from './sql.ts';
import type { TrailWriter } from './trail-writer.ts';

export interface ChangeParts {
  readonly dialect: Dialect;
  readonly trail: TrailWriter;
  /** Of this process, for what it tells the others. */
  readonly origin: string;
  readonly now: () => Date;
}

type Outcome<T> = Result<T, LibraryRefusal>;

/** `files-gone`: nothing was done, because some of its files are not in the store. */
export function* makeVersion(made: NewVersion, parts: ChangeParts): Steps<Outcome<Made> | 'files-gone'> {
  const { name, digest, base, actor, onlyProposed } = made;
  yield sql`INSERT INTO repertoire_library_skills (name) VALUES (${name}) ON CONFLICT (name) DO NOTHING`;
  const skill = yield* lockSkill(name, parts.dialect);
  const [newestRow] = yield selectNewest(name);
  const newest = newestRow === undefined ? null : String(newestRow.digest);
  // The same files as the newest overwrite no one's work, whatever they were made from.
  if (base !== undefined && base !== newest && digest !== newest) return yield* withoutTrace(name, newest, base);
  const policy = yield* readPolicy(parts.dialect);
  const isCurrentAtOnce = actor.mayApprove && policy === 'off' && !onlyProposed;
  const known = yield* findVersion(made);
  if (known !== undefined) return yield* takeKnown(known, { made, skill, isCurrentAtOnce }, parts);
  if (!(yield* hasFiles(made.files, parts.dialect))) return 'files-gone';
  const number = Number(newestRow?.number ?? 0) + 1;
  yield insertVersion(made, number, isCurrentAtOnce, parts.now());
  if (skill?.deleted_at !== null) yield undelete(name);
  if (isCurrentAtOnce) yield* setCurrent(name, digest, parts);
  const version = yield* findVersion(made);
  yield* parts.trail.append(noteOf(actor, 'skill.version', made, { message: made.message, base: base ?? null }));
  if (isCurrentAtOnce) yield* parts.trail.append(noteOf(actor, 'skill.approve', made, { message: made.message }));
  return version === undefined ? fail(noVersion(made)) : ok({ version, isNew: true });
}

/** A name that has no version yet is not kept for a refused one. */
function* withoutTrace(name: string, newest: string | null, base: string): Steps<Outcome<Made>> {
  if (newest === null) yield sql`DELETE FROM repertoire_library_skills WHERE name = ${name}`;
  return fail({ kind: 'conflict', base, newest });
}

const insertVersion = (
  { name, digest, files, message, base, actor }: NewVersion,
  number: number,
  isApproved: boolean,
  at: Date,
): Statement =>
  sql`INSERT INTO repertoire_library_versions (name, digest, number, state, author, author_key, created_at, message,
      base, manifest, decided_by, decided_at, decision, was_current)
    VALUES (${name}, ${digest}, ${number}, ${isApproved ? 'approved' : 'proposed'}, ${actor.name}, ${authorKeyOf(actor)}, ${at},
      ${storableText(message)}, ${base ?? null}, ${filesText(files)}, ${isApproved ? actor.name : null},
      ${isApproved ? at : null}, ${isApproved ? '' : null}, ${false})`;

interface Again {
  readonly made: NewVersion;
  readonly skill: Row | undefined;
  readonly isCurrentAtOnce: boolean;
}

/** The same files again: the version that they were, current again where that may be (L1). */
function* takeKnown(known: KeptVersion, again: Again, parts: ChangeParts): Steps<Outcome<Made>> {
  const { made, skill, isCurrentAtOnce } = again;
  const { name, digest, actor, message, onlyProposed } = made;
  const isApproval = known.state === 'proposed' && isCurrentAtOnce;
  // What was approved needs no second approval: this is a rollback.
  const isReturn = known.state === 'approved' && actor.mayApprove && !onlyProposed && !known.isCurrent;
  const isRevival = skill?.deleted_at !== null;
  if (isRevival) yield undelete(name);
  if (isApproval) yield decide({ name, digest, actor, message }, 'approved', parts.now());
  if (isApproval || isReturn) yield* setCurrent(name, digest, parts);
  const version = yield* findVersion(made);
  const details = { message };
  if (isApproval) yield* parts.trail.append(noteOf(actor, 'skill.approve', made, details));
  else if (isReturn) yield* parts.trail.append(noteOf(actor, 'skill.rollback', made, details));
  else if (isRevival) yield* parts.trail.append(noteOf(actor, 'skill.version', made, details));
  return ok({ version: version ?? known, isNew: false });
}

export function* approveVersion(choice: Choice, parts: ChangeParts): Steps<Outcome<Version>> {
  const found = yield* findWaiting(choice, parts);
  if (!found.ok) return found;
  // The policy is looked at now, not when the version was made (L2).
  const policy = yield* readPolicy(parts.dialect);
  if (policy === 'on' && isAuthor(found.value, choice.actor)) return fail({ kind: 'own' });
  yield decide(choice, 'approved', parts.now());
  yield* setCurrent(choice.name, choice.digest, parts);
  return yield* entered('skill.approve', choice, parts);
}

export function* rejectVersion(choice: Choice, parts: ChangeParts): Steps<Outcome<Version>> {
  const found = yield* findWaiting(choice, parts);
  if (!found.ok) return found;
  yield decide(choice, 'rejected', parts.now());
  return yield* entered('skill.reject', choice, parts);
}

export function* rollBack(choice: Choice, parts: ChangeParts): Steps<Outcome<Version>> {
  const found = yield* findListed(choice, parts);
  if (!found.ok) return found;
  const { state, isCurrent } = found.value;
  if (state !== 'approved')
    return fail({
      kind: 'state',
      said: `the version ${choice.digest} is ${state}, and only an approved one can be current`,
    });
  if (isCurrent) return found;
  yield* setCurrent(choice.name, choice.digest, parts);
  return yield* entered('skill.rollback', choice, parts);
}

/** What was current stays for good. Its number may be given again: the digest is what addresses it. */
export function* discardVersion(choice: Omit<Choice, 'message'>, parts: ChangeParts): Steps<Outcome<Version>> {
  const { name, digest, actor } = choice;
  yield* lockSkill(name, parts.dialect);
  // No version is made meanwhile: it might have files that are deleted here.
  yield sql`${SELECT_POLICY}${plain(parts.dialect.kind === 'postgres' ? ' FOR UPDATE' : '')}`;
  const version = yield* findVersion(choice);
  if (version === undefined) return fail(noVersion(choice));
  if (version.wasCurrent)
    return fail({ kind: 'state', said: `the version ${digest} was served, and what was served stays` });
  yield sql`DELETE FROM repertoire_library_versions WHERE name = ${name} AND digest = ${digest}`;
  yield deleteFiles(version.files, parts.dialect);
  yield sql`DELETE FROM repertoire_library_skills WHERE name = ${name}
    AND name NOT IN (SELECT name FROM repertoire_library_versions)`;
  yield* parts.trail.append(noteOf(actor, 'skill.discard', choice, {}));
  return ok(version);
}

export function* withdraw(name: string, actor: Actor, parts: ChangeParts): Steps<Outcome<LibrarySkill>> {
  const skill = yield* lockSkill(name, parts.dialect);
  const after = yield* describeSkill(name);
  if (skill === undefined || skill.deleted_at !== null || after === undefined) return fail(noSkill(name));
  if (skill.current_digest === null) return ok(after);
  yield* setCurrent(name, null, parts);
  const digest = String(skill.current_digest);
  yield* parts.trail.append({ actor: actor.name, action: 'skill.withdraw', subject: name, digest });
  return ok({ ...after, current: null });
}

export function* removeSkill(name: string, actor: Actor, parts: ChangeParts): Steps<Outcome<LibrarySkill>> {
  const skill = yield* lockSkill(name, parts.dialect);
  const after = yield* describeSkill(name);
  if (skill === undefined || skill.deleted_at !== null || after === undefined) return fail(noSkill(name));
  yield sql`UPDATE repertoire_library_skills SET deleted_at = ${parts.now()} WHERE name = ${name}`;
  yield* setCurrent(name, null, parts);
  const digest = skill.current_digest === null ? {} : { digest: String(skill.current_digest) };
  yield* parts.trail.append({ actor: actor.name, action: 'skill.delete', subject: name, ...digest });
  return ok({ ...after, current: null });
}

export function* setPolicy(policy: ReviewPolicy, actor: Actor, { trail }: ChangeParts): Steps<void> {
  const rows = yield sql`UPDATE repertoire_library_policy SET review = ${policy} WHERE id = 1 AND review <> ${policy}
    RETURNING review`;
  if (rows.length === 0) return;
  yield* trail.append({ actor: actor.name, action: 'review.policy', subject: 'library', details: { review: policy } });
}

/** Until the end of the transaction; in SQLite the transaction is the lock. */
function* lockSkill(name: string, { kind }: Dialect): Steps<Row | undefined> {
  const lock = plain(kind === 'postgres' ? ' FOR UPDATE' : '');
  const [row] = yield sql`SELECT current_digest, deleted_at FROM repertoire_library_skills WHERE name = ${name}${lock}`;
  return row;
}

/** One who changes it meanwhile waits until this is done. */
function* readPolicy({ kind }: Dialect): Steps<ReviewPolicy> {
  const [row] = yield sql`${SELECT_POLICY}${plain(kind === 'postgres' ? ' FOR SHARE' : '')}`;
  return row?.review === 'on' ? 'on' : 'off';
}

function* findVersion({ name, digest }: Pick<Choice, 'name' | 'digest'>): Steps<KeptVersion | undefined> {
  const [row] = yield selectVersions(sql`WHERE versions.name = ${name} AND versions.digest = ${digest}`);
  return row && toVersion(row);
}

/** Of a skill that is in the list. */
function* findListed(choice: Choice, { dialect }: ChangeParts): Steps<Outcome<KeptVersion>> {
  yield* lockSkill(choice.name, dialect);
  const version = yield* findVersion(choice);
  return version === undefined || version.isDeleted ? fail(noVersion(choice)) : ok(version);
}

function* findWaiting(choice: Choice, parts: ChangeParts): Steps<Outcome<KeptVersion>> {
  const found = yield* findListed(choice, parts);
  if (!found.ok || found.value.state === 'proposed') return found;
  return fail({ kind: 'state', said: `the version ${choice.digest} is ${found.value.state} already` });
}

const decide = ({ name, digest, actor, message }: Choice, state: 'approved' | 'rejected', at: Date): Statement =>
  sql`UPDATE repertoire_library_versions SET state = ${state}, decided_by = ${actor.name}, decided_at = ${at},
    decision = ${storableText(message)} WHERE name = ${name} AND digest = ${digest}`;

const undelete = (name: string): Statement =>
  sql`UPDATE repertoire_library_skills SET deleted_at = NULL WHERE name = ${name}`;

/** Every replica hears of it when it is committed. */
function* setCurrent(name: string, digest: string | null, { dialect, origin }: ChangeParts): Steps<void> {
  yield sql`UPDATE repertoire_library_skills SET current_digest = ${digest} WHERE name = ${name}`;
  if (digest !== null)
    yield sql`UPDATE repertoire_library_versions SET was_current = ${true} WHERE name = ${name} AND digest = ${digest}`;
  yield* announce(dialect, LIBRARY_TOPIC, {}, origin);
}

/** The trail comes last: its head is locked. */
function* entered(action: TrailAction, choice: Choice, { trail }: ChangeParts): Steps<Outcome<Version>> {
  const version = yield* findVersion(choice);
  yield* trail.append(noteOf(choice.actor, action, choice, { message: choice.message }));
  return version === undefined ? fail(noVersion(choice)) : ok(version);
}

const noteOf = (
  actor: Actor,
  action: TrailAction,
  { name, digest }: Pick<Choice, 'name' | 'digest'>,
  details: Readonly<Record<string, unknown>>,
): TrailNote => ({ actor: actor.name, action, subject: name, digest, details });

function* describeSkill(name: string): Steps<LibrarySkill | undefined> {
  const rows = yield sql`SELECT digest, state FROM repertoire_library_versions WHERE name = ${name} ORDER BY number`;
  const [skill] = yield sql`SELECT current_digest FROM repertoire_library_skills WHERE name = ${name}`;
  const newest = rows.at(-1);
  if (newest === undefined) return undefined;
  return {
    name,
    current: skill?.current_digest == null ? null : String(skill.current_digest),
    newest: String(newest.digest),
    proposed: rows.filter(({ state }) => state === 'proposed').map(({ digest }) => String(digest)),
  };
}
