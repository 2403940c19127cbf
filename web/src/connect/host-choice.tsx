// Which host is to be connected: those on this machine first, all others on request.
import { useState } from 'preact/hooks';
import { Icon } from '../components/icons.tsx';
import { orderHosts } from '../model/host-order.ts';
import type { Host } from '../model/shapes.ts';
import { countText } from '../text/format.ts';

interface HostChoiceProps {
  readonly hosts: readonly Host[];
  readonly chosen: Host | undefined;
  readonly choose: (id: string) => void;
}

export function HostChoice({ hosts, chosen, choose }: HostChoiceProps) {
  const [isWhole, setWhole] = useState(false);
  const { first, further, areFound } = orderHosts(hosts, chosen?.id);
  const take = (id: string) => {
    // What comes next is not to be looked for below a long list.
    setWhole(false);
    choose(id);
  };
  return (
    <fieldset class="hosts">
      <legend class="unseen">{areFound && !isWhole ? 'Hosts on this machine' : 'Hosts'}</legend>
      {(isWhole ? hosts : first).map(({ id, title, is_found }) => (
        <button key={id} type="button" class="host" aria-pressed={id === chosen?.id} onClick={() => take(id)}>
          <span>{title}</span>
          {id === chosen?.id ? (
            <Icon name="check" size={16} />
          ) : (
            isWhole && is_found === true && <span class="note">on this machine</span>
          )}
        </button>
      ))}
      {!isWhole && further.length > 0 && (
        <button type="button" class="host more-hosts" onClick={() => setWhole(true)}>
          {countText(further.length)} more…
        </button>
      )}
    </fieldset>
  );
}
