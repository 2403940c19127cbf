// A token that a client issues for a user, over a real server: it is good for no more than the client's own (O5).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OAuthWorld, OPERATOR, PASSWORD } from '../../tests/support/oauth-world.ts';
import { createRuntime } from '../skills.ts';
import { createBuiltinOverStore } from './builtin-over-store.ts';

const world = new OAuthWorld();
let client: string;

beforeAll(async () => {
  await world.start();
  client = await world.register();
});
afterAll(() => world.close());

const invoke = (token: string, skill: string, input: object) =>
  world.ask(`/api/typed-skills/${skill}/invoke`, {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  });

async function issue(token: string, person: { readonly email: string; readonly id: string }): Promise<string> {
  const answer = await invoke(token, 'token_generation', { user_id: person.id, email: person.email });
  const { output_payload: issued } = (await answer.json()) as { output_payload: { access_token: string } };
  return issued.access_token;
}

const status = async (token: string, path: string) =>
  (await world.ask(path, { headers: { Authorization: `Bearer ${token}` } })).status;

test('one that a client without skills:read issues reads no document; one of the operator does (O5)', async () => {
  const person = await world.addPerson(['log:read']);
  const { access_token: own } = await world.tokens(client, { scope: 'skills:invoke' });
  const issued = await issue(own, person);
  expect(await status(issued, '/api/documents')).toBe(403);
  expect((await world.mcp(issued, 'resources/list')).status).toBe(403);
  expect(await status(issued, '/api/invocations')).toBe(403);
  const task = await invoke(issued, 'task_creation', { user_id: person.id, title: 'Buy paper' });
  expect(task.status).toBe(200);
  const all = await issue(OPERATOR, person);
  expect([await status(all, '/api/documents'), await status(all, '/api/invocations')]).toEqual([200, 200]);
});

test('one that a client issues opens documents where its own does, and nothing that its user was granted (O4, O5, N6)', async () => {
  const auditor = await world.addPerson(['log:read']);
  const scope = 'skills:read skills:invoke log:read';
  const { access_token: own } = await world.tokens(client, { scope });
  const hers = await issue(own, auditor);
  expect([await status(hers, '/api/documents'), await status(hers, '/api/invocations')]).toEqual([200, 403]);
  await invoke(hers, 'task_creation', { user_id: auditor.id, title: 'Buy ink' });
  const listed = await world.operate('/api/invocations?skill=task_creation&limit=1');
  expect(listed).toMatchObject({ invocations: [{ invoking_agent: `${auditor.id} via Test client` }] });
});

test.each(['the client is revoked', 'the client gives its refresh token back', 'a used refresh token comes again'])(
  'one that a client issued ends with what the client was allowed: %s; others stay (O4, O7)',
  async (how) => {
    const person = await world.addPerson();
    const [id, stays] = [await world.register({ client_name: how }), await world.register()];
    const [first, beside] = [await world.tokens(id), await world.tokens(stays)];
    const [hers, other] = [await issue(first.access_token, person), await issue(beside.access_token, person)];
    for (const token of [hers, other]) expect(await status(token, '/api/documents')).toBe(200);
    const { clients } = (await world.operate('/api/clients')) as { clients: { id: string; client_id: string }[] };
    const ref = clients.find(({ client_id: own }) => own === id)?.id;
    if (how === 'the client is revoked') await world.operate(`/api/clients/${ref}`, undefined, 'DELETE');
    else if (how.startsWith('the client gives'))
      await world.post('/oauth/revoke', { token: first.refresh_token, client_id: id });
    else for (let time = 0; time < 2; time += 1) await world.refresh(id, first.refresh_token);
    expect(await status(hers, '/api/documents')).toBe(401);
    expect(await status(other, '/api/documents')).toBe(200);
    expect([await isValid(hers), await isValid(other)]).toEqual([false, true]);
    expect([await isValidAlone(hers), await isValidAlone(other)]).toEqual([false, true]);
  },
);

describe('token_validation says of one that a client issued what every route says', () => {
  let issued: Readonly<Record<'ofOperator' | 'ofPerson' | 'direct', string>>;
  beforeAll(async () => {
    const [person, grantor] = [await world.addPerson(), await world.addPerson()];
    await world.operate(`/api/users/${encodeURIComponent(grantor.email)}/grant`, { roles: ['AuthAgent'] });
    const scope = 'skills:read skills:invoke';
    const byOperator = await world.tokens(client, { scope });
    const byPerson = await world.tokens(client, { scope }, { email: grantor.email, password: PASSWORD });
    issued = {
      ofOperator: await issue(byOperator.access_token, person),
      ofPerson: await issue(byPerson.access_token, person),
      direct: await issue(OPERATOR, person),
    };
  });

  test.each([
    ['while nothing has changed', {}, { ofOperator: true, ofPerson: true }],
    [
      'when the operator has another token',
      { operator: `rpo_${'p'.repeat(43)}` },
      { ofOperator: false, ofPerson: true },
    ],
    [
      'when the server has another name',
      { publicUrl: 'https://other.example' },
      { ofOperator: false, ofPerson: false },
    ],
    ['when no host signs in by OAuth', { oauth: false }, { ofOperator: false, ofPerson: false }],
  ])('%s (O4, B2)', async (_when, given, good) => {
    await world.restart(given);
    const operator = 'operator' in given ? given.operator : OPERATOR;
    const expected = Object.entries({ ...good, direct: true }) as [keyof typeof issued, boolean][];
    for (const [name, isGood] of expected) {
      expect([name, await status(issued[name], '/api/documents')]).toEqual([name, isGood ? 200 : 401]);
      expect([name, await isValid(issued[name], operator)]).toEqual([name, isGood]);
    }
  });
});

/** Where no one is let in: what the store has of the consent is all there is. */
async function isValidAlone(token: string): Promise<boolean> {
  const [app] = world.apps;
  if (app === undefined) throw new Error('Nothing was started');
  const { store, userTokens: tokens, passwords } = app.typed;
  const planning = { ai: undefined, findSkills: async () => [], isSkill: () => false };
  const skills = createBuiltinOverStore(['token_validation'], { store, tokens, passwords, ownership: {}, planning });
  const runtime = createRuntime({ skills });
  const answer = await runtime.invoke({ name: 'token_validation', input: { token } });
  await runtime.close();
  return answer.success && answer.outputPayload.valid === true;
}

async function isValid(token: string, operator = OPERATOR): Promise<boolean> {
  const answer = await invoke(operator, 'token_validation', { token });
  return ((await answer.json()) as { output_payload: { valid: boolean } }).output_payload.valid;
}
