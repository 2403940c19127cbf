// People: the users of `user_creation`, and giving them roles and scopes (N6). What each opens is in identity/caller.ts.
// For the operator alone, who may do everything: nothing is given that its giver does not have.
import { SCOPES } from '../identity/agents.ts';
import { userCaller } from '../identity/caller.ts';
import { type PeopleStore, type Person, personCaller } from '../identity/people.ts';
import { echoText } from '../text/list-text.ts';
import { ok } from '../values/result.ts';
import { OPERATOR_ONLY } from './access.ts';
import { invalidInput, nothingFound, operation } from './operation.ts';
import { filter, unstorable } from './parameters.ts';
import { type NamedRoles, reportRoles, roleFault } from './role-report.ts';
import { choice, list, moment, record, type TypeOf, text, whole } from './shape.ts';

export interface PeoplePorts extends NamedRoles {
  readonly people: PeopleStore;
  readonly now: () => Date;
}

const person = record({
  user_id: text(),
  email: text(),
  display_name: text().nullable(),
  roles: list(text()),
  scopes: list(choice(SCOPES)),
  created_at: moment,
})
  .about('A user, and what they were granted')
  .named('Person');

export type PersonJson = TypeOf<typeof person>;

const API = { tag: 'people', failures: [404, 503] } as const;

export const listPeople = operation({
  id: 'list_people',
  summary: 'The people who may sign in, by email, with what they were granted',
  access: OPERATOR_ONLY,
  input: {
    email: filter('Only those whose email has these letters'),
    limit: whole({ least: 1, most: 1_000 }).about('At most so many').usual(100),
    cursor: filter('The `next_cursor` of the page before'),
  },
  output: record({ users: list(person), next_cursor: text().nullable() }).named('PersonList'),
  run: async (query, _asking, { people }: PeoplePorts) => ok(await people.list(query)),
  project: ({ people, nextCursor }) => ({ users: people.map(personJson), next_cursor: nextCursor ?? null }),
  http: { ...API, id: 'listPeople', method: 'GET', path: '/api/users', answer: 'The people', failures: [503] },
});

/** Longer than an email may be. */
const MOST_EMAIL = 254;

const email = text({ least: 1, most: MOST_EMAIL, fault: unstorable }).about(
  'The email of the person; letter case does not count',
);

const MOST_ROLES = 100;

const grants = {
  roles: list(text({ fault: roleFault }), MOST_ROLES)
    .about('Names that skills are assigned to, or `*` for every typed skill')
    .usual([]),
  scopes: list(choice(SCOPES), 10).about('What else the person may do').usual([]),
};

const granted = record({
  user: person,
  opens: list(text()).about('The typed skills that the person may invoke now'),
  warnings: list(text()).about('A sentence for each role of the request that no skill names'),
}).named('GrantedPerson');

export const grantPerson = operation({
  id: 'grant_person',
  summary: 'Give a person roles and scopes, beside those that they have',
  access: OPERATOR_ONLY,
  input: { email, ...grants },
  output: granted,
  run: async ({ email: to, roles, scopes }, { caller }, { people, now, ...named }: PeoplePorts) => {
    if (roles.length === 0 && scopes.length === 0) return invalidInput('send at least one role or scope');
    const found = await people.grant({ email: to, grants: { roles, scopes }, actor: caller.name, at: now() });
    if (found === undefined) return noPerson(to);
    const { opens } = reportRoles(personCaller(found), named);
    return ok({ person: found, opens, warnings: reportRoles(userCaller('', roles), named).warnings });
  },
  project: grantedJson,
  http: {
    ...API,
    id: 'grantPerson',
    method: 'POST',
    path: '/api/users/{email}/grant',
    bodyName: 'GrantRequest',
    bodyAbout: 'What to give',
    answer: 'What the person has now',
  },
});

export const ungrantPerson = operation({
  id: 'ungrant_person',
  summary: 'Take roles and scopes away from a person, or everything when none is named',
  access: OPERATOR_ONLY,
  input: { email, ...grants },
  output: granted,
  run: async ({ email: from, roles, scopes }, { caller }, { people, now, ...named }: PeoplePorts) => {
    const grants = roles.length === 0 && scopes.length === 0 ? 'all' : { roles, scopes };
    const found = await people.ungrant({ email: from, grants, actor: caller.name, at: now() });
    if (found === undefined) return noPerson(from);
    return ok({ person: found, opens: reportRoles(personCaller(found), named).opens, warnings: [] });
  },
  project: grantedJson,
  http: {
    ...API,
    id: 'ungrantPerson',
    method: 'POST',
    path: '/api/users/{email}/ungrant',
    bodyName: 'UngrantRequest',
    bodyAbout: 'What to take away; everything when it names nothing',
    answer: 'What the person has now',
  },
});

const noPerson = (given: string) => nothingFound(`a person with the email ${JSON.stringify(echoText(given, 80))}`);

interface Granted {
  readonly person: Person;
  readonly opens: readonly string[];
  readonly warnings: readonly string[];
}

function grantedJson({ person: found, opens, warnings }: Granted) {
  return { user: personJson(found), opens, warnings };
}

export const personJson = ({ id, email: own, displayName, roles, scopes, createdAt }: Person): PersonJson => ({
  user_id: id,
  email: own,
  display_name: displayName,
  roles,
  scopes,
  created_at: createdAt.toISOString(),
});
