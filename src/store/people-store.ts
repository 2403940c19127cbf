// People on a database: users with what they were granted (N6).

import { toScopes } from '../identity/agents.ts';
import type {
  GrantChange,
  Grants,
  NewPerson,
  PeoplePage,
  PeopleQuery,
  PeopleStore,
  Person,
} from '../identity/people.ts';
import { BadCursor } from '../skills/record/invocation-log.ts';
import { emailKeyOf } from '../text/email-key.ts';
import { grantDetails, namesOf } from './grant-rows.ts';
import { pageLimit } from './page.ts';
import { type Dialect, join, plain, type Row, type Sql, type Statement, type Steps, sql, tuples } from './sql.ts';
import type { TrailWriter } from './trail-writer.ts';
import { announceUser, insertUser } from './user-store.ts';

interface PeopleParts {
  /** Of this process, for what it tells the others. */
  readonly origin: string;
  readonly trail: TrailWriter;
}

/** What a change of grants does beside it, in the same transaction. */
interface Changes extends PeopleParts {
  readonly dialect: Dialect;
}

export const createPeopleStore = (database: Sql, parts: PeopleParts): PeopleStore => {
  const changes: Changes = { ...parts, dialect: database.dialect };
  return {
    add: (actor, person) => database.write(() => addPerson(actor, person, changes)),
    find: async (userId) => toPeople(await database.read(selectPeople(sql`WHERE id = ${userId}`)))[0],
    list: (query) => listPeople(database, query),
    grant: (change) => database.write(() => grant(change, changes)),
    ungrant: (change) => database.write(() => ungrant(change, changes)),
  };
};

function* addPerson(actor: string, person: NewPerson, { trail }: Changes): Steps<boolean> {
  const isAdded = yield* insertUser(person);
  if (isAdded) yield* trail.append({ actor, action: 'user.add', subject: person.email });
  return isAdded;
}

async function listPeople(database: Sql, { email = '', limit: asked, cursor }: PeopleQuery): Promise<PeoplePage> {
  const limit = pageLimit(asked);
  const conditions = [
    ...(email === '' ? [] : [sql`email_key LIKE ${`%${escapeLike(emailKeyOf(email))}%`} ESCAPE '!'`]),
    ...(cursor === undefined ? [] : [sql`email_key > ${readCursor(cursor)}`]),
  ];
  const where = conditions.length === 0 ? plain('') : sql`WHERE ${join(conditions, ' AND ')}`;
  // One more than is shown says whether there are more.
  const found = toPeople(await database.read(selectPeople(sql`${where} ORDER BY email_key LIMIT ${limit + 1}`)));
  const people = found.slice(0, limit);
  const last = people.at(-1);
  return { people, nextCursor: found.length > limit && last !== undefined ? createCursor(last.email) : undefined };
}

const escapeLike = (text: string): string => text.replace(/[!%_]/g, '!$&');

const createCursor = (email: string): string => Buffer.from(emailKeyOf(email)).toString('base64url');

/** Throws BadCursor. */
function readCursor(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  if (key.includes('@') && !key.includes('\0') && createCursor(key) === cursor) return key;
  throw new BadCursor('Cannot go on with the list: the cursor is none of ours; ask again without it');
}

/** `which`: of the users, in which order and how many. A row for each grant, at least one for each user. */
const selectPeople = (which: Statement): Statement =>
  sql`SELECT people.id, people.email, people.display_name, people.created_at, grants.kind, grants.name
    FROM (SELECT id, email, email_key, display_name, created_at FROM repertoire_users ${which}) AS people
    LEFT JOIN repertoire_grants AS grants ON grants.user_id = people.id
    ORDER BY people.email_key`;

function* grant({ email, grants, actor, at }: GrantChange, changes: Changes): Steps<Person | undefined> {
  const person = yield* findByEmail(email);
  if (person === undefined) return undefined;
  const rows = grantRows(grants).map(([kind, name]) => [person.id, kind, name, at]);
  if (rows.length === 0) return person;
  const added = yield sql`INSERT INTO repertoire_grants (user_id, kind, name, granted_at) VALUES ${tuples(rows)}
    ON CONFLICT (user_id, kind, name) DO NOTHING RETURNING kind, name`;
  if (added.length === 0) return person;
  return yield* told({ person, action: 'user.grant', actor, changed: added }, changes);
}

type Taken = Parameters<PeopleStore['ungrant']>[0];

function* ungrant({ email, grants, actor }: Taken, changes: Changes): Steps<Person | undefined> {
  const person = yield* findByEmail(email);
  if (person === undefined) return undefined;
  const which = grants === 'all' ? plain('') : sql` AND (${anyOf(grants)})`;
  const taken = yield sql`DELETE FROM repertoire_grants WHERE user_id = ${person.id}${which} RETURNING kind, name`;
  if (taken.length === 0) return person;
  return yield* told({ person, action: 'user.ungrant', actor, changed: taken }, changes);
}

const grantRows = ({ roles, scopes }: Grants): readonly (readonly [string, string])[] => [
  ...[...new Set(roles)].map((name) => ['role', name] as const),
  ...[...new Set(scopes)].map((name) => ['scope', name] as const),
];

/** Nothing named is none. */
const anyOf = (grants: Grants): Statement =>
  join([plain('1 = 0'), ...grantRows(grants).map(([kind, name]) => sql`(kind = ${kind} AND name = ${name})`)], ' OR ');

interface Told {
  readonly person: Person;
  readonly action: 'user.grant' | 'user.ungrant';
  readonly actor: string;
  /** Rows of what was given or taken. */
  readonly changed: readonly Row[];
}

/** What the person has then. The trail comes last: its head is locked. */
function* told(
  { person, action, actor, changed }: Told,
  { dialect, origin, trail }: Changes,
): Steps<Person | undefined> {
  const now = yield* findByEmail(person.email);
  yield* announceUser(dialect, person.id, origin);
  yield* trail.append({ actor, action, subject: person.email, details: grantDetails(changed) });
  return now;
}

function* findByEmail(email: string): Steps<Person | undefined> {
  return toPeople(yield selectPeople(sql`WHERE email_key = ${emailKeyOf(email)}`))[0];
}

function toPeople(rows: readonly Row[]): readonly Person[] {
  const byId = new Map<string, { readonly user: Row; readonly own: Row[] }>();
  for (const row of rows) {
    const id = String(row.id);
    const known = byId.get(id) ?? { user: row, own: [] };
    known.own.push(row);
    byId.set(id, known);
  }
  return [...byId.values()].map(({ user, own }) => toPerson(user, own));
}

const toPerson = (user: Row, rows: readonly Row[]): Person => ({
  id: String(user.id),
  email: String(user.email),
  displayName: user.display_name === null ? null : String(user.display_name),
  createdAt: new Date(Number(user.created_at)),
  roles: namesOf(rows, 'role'),
  scopes: toScopes(namesOf(rows, 'scope')),
});
