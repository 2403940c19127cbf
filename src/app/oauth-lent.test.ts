// A token that a client issues for a user, over a real server: it is good for no more than the client's own (O5).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OAuthWorld, OPERATOR } from '../../tests/support/oauth-world.ts';

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
  },
);

async function isValid(token: string): Promise<boolean> {
  const answer = await world.operate('/api/typed-skills/token_validation/invoke', { token });
  return (answer as { output_payload: { valid: boolean } }).output_payload.valid;
}
