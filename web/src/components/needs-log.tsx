// Shown instead of a page over the log to callers without the right to read it: which right is missing, and how to get it.
import { grantWords } from '../model/grant-words.ts';
import type { Me } from '../model/shapes.ts';
import { whoText } from '../model/who.ts';
import { Page } from './page.tsx';
import { Empty } from './states.tsx';

interface NeedsLogProps {
  readonly me: Me;
  readonly title: string;
}

export const NeedsLog = ({ me, title }: NeedsLogProps) => (
  <Page title={title} lede={`Signed in as ${whoText(me)}.`}>
    <div class="card">{me.kind === 'user' ? <ForPerson me={me} /> : <ForAgent me={me} />}</div>
  </Page>
);

const ForPerson = ({ me }: { readonly me: Me }) => (
  <Empty
    title="This page needs the scope log:read"
    command={{ words: grantWords(me, '--scope log:read'), reach: 'store' }}
  >
    It shows what ran and what was read. You can read the <a href="/skills">skills</a> and invoke those that are open to
    you. The operator can grant you the scope:
  </Empty>
);

const ForAgent = ({ me }: { readonly me: Me }) => (
  <Empty title="This token may not read the log" command={{ words: 'agent add NAME --scope log:read', reach: 'store' }}>
    The agent {me.name} has no scope <code>log:read</code>. You can read the <a href="/skills">skills</a> and invoke
    those that are open to you. What ran and what was read is for the operator's token, or for an agent's with this
    scope:
  </Empty>
);
