// Clients that people let in by OAuth: which there are, who allowed them what, and taking one out (O7).
import { oneForEach } from '../identity/connected-clients.ts';
import type { ConnectedClient, OAuthStore } from '../identity/oauth.ts';
import { OAUTH_SCOPES } from '../identity/oauth.ts';
import { actorOf } from '../identity/trail.ts';
import { echoText } from '../text/list-text.ts';
import { ok } from '../values/result.ts';
import { OPERATOR_ONLY } from './access.ts';
import { asFound, nothingFound, operation } from './operation.ts';
import { choice, list, moment, record, type TypeOf, text } from './shape.ts';

export interface ClientPorts {
  readonly oauthClients: Pick<OAuthStore, 'list' | 'revokeClient'>;
  readonly now: () => Date;
}

const client = record({
  id: text().about('To revoke it by'),
  name: text().about('As it calls itself'),
  client_id: text().about('As it signs in; the address of its description, or an id'),
  person: text().nullable().about('The email of the person who allowed it; null: the operator'),
  scopes: list(choice(OAUTH_SCOPES)),
  created_at: moment,
  last_used_at: moment.nullable().about('To the minute'),
})
  .about('A client that was let in by OAuth')
  .named('ConnectedClient');

export type ClientJson = TypeOf<typeof client>;

const API = { tag: 'agents', failures: [503] } as const;

export const listClients = operation({
  id: 'list_clients',
  summary: 'The clients that people let in by OAuth, in name order',
  access: OPERATOR_ONLY,
  input: {},
  output: record({ clients: list(client) }).named('ClientList'),
  run: async (_input, _asking, { oauthClients, now }: ClientPorts) =>
    ok({ clients: oneForEach(await oauthClients.list(now())).map(clientJson) }),
  project: asFound,
  http: { ...API, id: 'listClients', method: 'GET', path: '/api/clients', answer: 'The clients, in name order' },
});

export const revokeClient = operation({
  id: 'revoke_client',
  summary: 'Take a client out: its tokens are refused from now on, on every server within a second',
  access: OPERATOR_ONLY,
  input: { id: text().about('Of the client, as the list has it') },
  output: record({ id: text(), revoked_at: moment }).named('RevokedClient'),
  run: async ({ id }, { caller }, { oauthClients, now }: ClientPorts) => {
    if (await oauthClients.revokeClient(id, actorOf(caller))) return ok({ id, revoked_at: now().toISOString() });
    return nothingFound(`client ${JSON.stringify(echoText(id, 64))}`);
  },
  project: asFound,
  http: {
    ...API,
    id: 'revokeClient',
    method: 'DELETE',
    path: '/api/clients/{id}',
    answer: 'It is revoked',
    failures: [404, 503],
  },
});

const clientJson = ({
  ref,
  client: { id, name },
  email,
  scopes,
  createdAt,
  lastUsedAt,
}: ConnectedClient): ClientJson => ({
  id: ref,
  name,
  client_id: id,
  person: email ?? null,
  scopes,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});
