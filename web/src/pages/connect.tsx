// Connecting a host to this server. For the operator.
import { ForOperator } from '../components/for-operator.tsx';
import { Page } from '../components/page.tsx';
import { ConnectPanel } from '../connect/connect-panel.tsx';
import type { Me } from '../model/shapes.ts';

interface ConnectPageProps {
  readonly me: Me;
  readonly query: URLSearchParams;
}

const TITLE = 'Connect an agent';
const LEDE = 'Choose the program that your agent runs in.';

export const ConnectPage = ({ me, query }: ConnectPageProps) =>
  me.is_operator ? (
    <Page title={TITLE} lede={LEDE}>
      <ConnectPanel me={me} query={query} />
    </Page>
  ) : (
    <ForOperator title={TITLE} lede={LEDE} work="connect agents" />
  );
