// Shown instead of a page that is the operator's alone.
import { Page } from './page.tsx';
import { Empty } from './states.tsx';

interface ForOperatorProps {
  readonly title: string;
  readonly lede?: string;
  /** What the page is for: "add and revoke agents". */
  readonly work: string;
}

export const ForOperator = ({ title, lede, work }: ForOperatorProps) => (
  <Page title={title} {...(lede === undefined ? {} : { lede })}>
    <div class="card">
      <Empty title="For the operator alone" command={{ words: 'token', reach: 'store' }}>
        Sign in with the operator's token to {work}:
      </Empty>
    </div>
  </Page>
);
