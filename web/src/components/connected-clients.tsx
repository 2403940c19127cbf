// Clients that people let in by OAuth: who allowed each, when it was last used, and a button that takes it out, which asks first (O7).
import { useState } from 'preact/hooks';
import type { ClientJson } from '../../../src/operations/clients.ts';
import { ask, type Trouble } from '../api/ask.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { plural } from '../text/format.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { Card } from './page.tsx';
import { Time } from './pills.tsx';
import { Failed } from './states.tsx';

export function ConnectedClients() {
  const loaded = useLoaded<{ readonly clients: readonly ClientJson[] }>('/api/clients');
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const clients = loaded.value?.clients ?? [];
  // Most servers have none, and their page says nothing of it.
  if (clients.length === 0) return null;
  const revoke = async (id: string) => {
    const answer = await ask(`/api/clients/${encodeURIComponent(id)}`, { method: 'DELETE' });
    setTrouble(answer.ok ? undefined : answer.trouble);
    loaded.reload();
  };
  return (
    <Card title={`${plural(clients.length, 'client')} signed in by OAuth`}>
      {trouble !== undefined && <Failed trouble={trouble} />}
      <div class="table-wrap">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Client</th>
              <th scope="col" class="hide-small">
                Allowed by
              </th>
              <th scope="col" class="hide-small">
                May
              </th>
              <th scope="col" class="hide-small">
                Last used
              </th>
              <th scope="col" class="revoke-column">
                <span class="unseen">Revoke</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {clients.map((client) => (
              <tr key={`${client.id} ${client.created_at}`}>
                <td class="wide">
                  <strong>{client.name}</strong>
                  <div class="only-small in-line small muted">
                    {client.person ?? 'The operator'}: {client.scopes.join(', ')}
                  </div>
                </td>
                <td class="wide hide-small">{client.person ?? 'The operator'}</td>
                <td class="wide hide-small">{client.scopes.join(', ')}</td>
                <td class="muted hide-small">
                  {client.last_used_at === null ? 'never' : <Time at={client.last_used_at} />}
                </td>
                <td class="number">
                  <ConfirmButton what="Revoke" of={client.name} isLittle confirm={() => void revoke(client.id)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
