// Connecting a host to this server. For the operator.
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';
import { ConnectPanel } from '../connect/connect-panel.tsx';
import type { Me } from '../model/shapes.ts';

interface ConnectPageProps {
  readonly me: Me;
  readonly query: URLSearchParams;
}

export const ConnectPage = ({ me, query }: ConnectPageProps) => (
  <Page title="Connect an agent" lede="Choose the program that your agent runs in.">
    {me.is_operator ? (
      <ConnectPanel me={me} query={query} />
    ) : (
      <div class="card">
        <Empty title="For the operator alone" command={{ words: 'token', reach: 'store' }}>
          Sign in with the operator's token to connect agents:
        </Empty>
      </div>
    )}
  </Page>
);
