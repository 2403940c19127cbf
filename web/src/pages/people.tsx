// The people who sign in with email and password, and what each may do: granted and taken away. For the operator.
import { useState } from 'preact/hooks';
import { withQuery } from '../api/ask.ts';
import { type Loaded, useLoaded } from '../api/use-loaded.ts';
import { ForOperator } from '../components/for-operator.tsx';
import { GrantEditor } from '../components/grant-editor.tsx';
import { OwnCommand } from '../components/own-command.tsx';
import { Card, Page } from '../components/page.tsx';
import { RightsPills } from '../components/rights-pills.tsx';
import { Empty, Show } from '../components/states.tsx';
import { When } from '../components/when.tsx';
import type { GrantedPerson, Me, Person, PersonList } from '../model/shapes.ts';
import { plural } from '../text/format.ts';

const LEDE = 'People sign in with email and password, and may do what their roles and scopes allow.';

/** Of one page: more are found by their email. */
const MOST = 100;

export function PeoplePage({ me }: { readonly me: Me }) {
  const [email, setEmail] = useState('');
  const path = withQuery('/api/users', { email: email.trim(), limit: MOST });
  const people = useLoaded<PersonList>(me.is_operator ? path : undefined, { keep: true });
  const [editing, setEditing] = useState<Person | undefined>(undefined);
  const [saved, setSaved] = useState<GrantedPerson | undefined>(undefined);
  if (!me.is_operator) return <ForOperator title="People" lede={LEDE} work="see people and grant roles and scopes" />;
  const edit = (person: Person) => {
    setSaved(undefined);
    setEditing(person);
  };
  const onSaved = (granted: GrantedPerson) => {
    setSaved(granted);
    setEditing(undefined);
    people.reload();
  };
  return (
    <Page title="People" lede={LEDE}>
      {editing !== undefined && (
        <GrantEditor key={editing.user_id} person={editing} onSaved={onSaved} cancel={() => setEditing(undefined)} />
      )}
      {saved !== undefined && <Saved saved={saved} />}
      <People people={people} email={email} setEmail={setEmail} edit={edit} />
    </Page>
  );
}

/** What the person may invoke now, and which roles do nothing. */
const Saved = ({ saved: { user, opens, warnings } }: { readonly saved: GrantedPerson }) => (
  <section class="card marked" aria-label="Saved" role="status">
    <div class="notice">
      <h2 class="break">{user.email}</h2>
      <p class="break">{opensText(opens)}</p>
      {warnings.map((warning) => (
        <p key={warning} class="break">
          <span class="pill warn">warning</span> {warning}
        </p>
      ))}
    </div>
  </section>
);

const opensText = (opens: readonly string[]): string =>
  opens.length === 0
    ? 'Can read documents, but has no role that opens a typed skill.'
    : `Can read documents and invoke ${plural(opens.length, 'typed skill')}: ${opens.join(', ')}.`;

interface PeopleProps {
  readonly people: Loaded<PersonList>;
  readonly email: string;
  readonly setEmail: (email: string) => void;
  readonly edit: (person: Person) => void;
}

function People({ people, email, setEmail, edit }: PeopleProps) {
  const count = people.value?.users.length;
  const hasMore = people.value?.next_cursor !== null && people.value !== undefined;
  const title = count === undefined || count === 0 || email !== '' ? 'People' : plural(count, 'person', 'people');
  return (
    <Card title={title} {...(hasMore ? { note: `the first ${MOST}; find others by their email` } : {})}>
      {(email !== '' || hasMore || (count ?? 0) > 5) && (
        <div class="card-body">
          <div class="field">
            <label class="field-label" for="people-email">
              Find by email
            </label>
            <input
              id="people-email"
              type="search"
              autocomplete="off"
              spellcheck={false}
              value={email}
              onInput={(event) => setEmail(event.currentTarget.value)}
            />
          </div>
        </div>
      )}
      <Show loaded={people} lines={5}>
        {({ users }) =>
          users.length === 0 ? (
            <None isFiltered={email !== ''} />
          ) : (
            <>
              <PeopleTable people={users} edit={edit} />
              <div class="card-body divided">
                <p class="small muted">To add a person, on the server's machine:</p>
                <OwnCommand {...ADDING} />
              </div>
            </>
          )
        }
      </Show>
    </Card>
  );
}

const ADDING = { words: 'user add EMAIL', reach: 'store' } as const;

const None = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No one has such an email" />
  ) : (
    <Empty title="No people yet" command={ADDING}>
      Add one on the server's machine, which asks for the password; or with the typed skill{' '}
      <a href="/typed/user_creation">user_creation</a>:
    </Empty>
  );

interface PeopleTableProps {
  readonly people: readonly Person[];
  readonly edit: (person: Person) => void;
}

const PeopleTable = ({ people, edit }: PeopleTableProps) => (
  <div class="table-wrap">
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Person</th>
          <th scope="col" class="hide-small">
            Roles and scopes
          </th>
          <th scope="col" class="hide-small">
            Since
          </th>
          <th scope="col" class="change-column">
            <span class="unseen">Change</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <PersonRow key={person.user_id} person={person} edit={() => edit(person)} />
        ))}
      </tbody>
    </table>
  </div>
);

const PersonRow = ({ person, edit }: { readonly person: Person; readonly edit: () => void }) => (
  <tr>
    <td class="wide person">
      <strong class="break">{person.display_name ?? person.email}</strong>
      {person.display_name !== null && <div class="small muted break">{person.email}</div>}
      <div class="only-small in-line">
        <Rights person={person} />
      </div>
    </td>
    <td class="wide hide-small">
      <Rights person={person} />
    </td>
    <td class="hide-small muted">
      <When at={person.created_at} />
    </td>
    <td class="number">
      <button
        type="button"
        class="button quiet little"
        aria-label={`Change what ${person.email} may do`}
        onClick={edit}
      >
        Change
      </button>
    </td>
  </tr>
);

const Rights = ({ person }: { readonly person: Person }) => (
  <>
    {person.roles.length + person.scopes.length === 0 && <span class="muted">nothing granted</span>}
    <RightsPills {...person} />
  </>
);
