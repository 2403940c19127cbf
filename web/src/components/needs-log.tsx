// Shown instead of a page over the log to callers without the right to read it: which right is missing, and how to get it.
import type { Me } from '../model/shapes.ts';
import { Page } from './page.tsx';
import { Empty } from './states.tsx';

interface NeedsLogProps {
  readonly me: Me;
  readonly title: string;
}

export const NeedsLog = ({ me, title }: NeedsLogProps) => (
  <Page title={title} lede={`Signed in as the ${me.kind} ${me.name}.`}>
    <div class="card">
      <Empty
        title="This token may not read the log"
        command={{ words: 'agent add NAME --scope log:read', reach: 'store' }}
      >
        {me.kind === 'agent' ? (
          <>
            The agent {me.name} has no scope <code>log:read</code>.
          </>
        ) : (
          'The log is not open to users.'
        )}{' '}
        You can read the <a href="/skills">skills</a> and invoke those that are open to you. What ran and what was read
        is for the operator's token, or for an agent's with this scope:
      </Empty>
    </div>
  </Page>
);
