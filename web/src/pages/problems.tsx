// Why skills are not served, or not as written: by root and file, the worst alone on request, and what to do.
import { useState } from 'preact/hooks';
import { withQuery } from '../api/ask.ts';
import { useLive } from '../api/live.ts';
import { useChange } from '../api/use-change.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { setQuery } from '../browser/router.ts';
import { Card, Page } from '../components/page.tsx';
import { ProblemFiles } from '../components/problem-list.tsx';
import { Empty, Failed, Skeleton } from '../components/states.tsx';
import { SuspiciousSkills } from '../components/suspicious-skills.tsx';
import { countBySeverity, groupProblems, type ProblemSeverity, type RootProblems } from '../model/problem-groups.ts';
import type { DocumentList, Me, ProblemList } from '../model/shapes.ts';
import { countText, plural } from '../text/format.ts';

const LARGEST_PAGE = 1_000;

/** Files of one root that are shown at first. */
const FIRST_FILES = 50;

export function ProblemsPage({ me, query }: { readonly me: Me; readonly query: URLSearchParams }) {
  const problems = useLoaded<ProblemList>('/api/problems');
  const documents = useLoaded<DocumentList>(withQuery('/api/documents', { limit: LARGEST_PAGE }));
  useLive(me.may_read_log, ({ kind }) => (kind === 'catalog' || kind === 'tick') && problems.reload());
  useChange(me, () => {
    problems.reload();
    documents.reload();
  });
  const only = SEVERITIES.find((severity) => severity === query.get('severity'));
  const list = problems.value?.problems;
  // Without the documents there are no links, but there are problems.
  const served = documents.value?.documents ?? (documents.trouble === undefined ? undefined : []);
  const isThere = list !== undefined && served !== undefined;
  return (
    <Page
      title="Problems"
      lede="Skills that are not served, or not as written, and how to fix them."
      tools={<Severities only={only} counts={isThere ? countBySeverity(list) : undefined} />}
    >
      {!isThere && (
        <Card title="Problems">
          {problems.trouble === undefined ? (
            <Skeleton lines={6} />
          ) : (
            <Failed trouble={problems.trouble} retry={problems.reload} />
          )}
        </Card>
      )}
      {isThere && list.length === 0 && <None />}
      {isThere && list.length > 0 && <Roots key="roots" roots={groupProblems(list, served, only)} />}
      {isThere && only === undefined && <SuspiciousSkills limit={LARGEST_PAGE} />}
    </Page>
  );
}

const SEVERITIES = ['error', 'warning', 'advice'] as const satisfies readonly ProblemSeverity[];

const WORDS = { error: 'Errors', warning: 'Warnings', advice: 'Advice' } as const satisfies Record<
  ProblemSeverity,
  string
>;

interface SeveritiesProps {
  readonly only: ProblemSeverity | undefined;
  readonly counts: Readonly<Record<ProblemSeverity, number>> | undefined;
}

const Severities = ({ only, counts }: SeveritiesProps) => (
  <fieldset class="segments">
    <legend class="unseen">How bad</legend>
    <button type="button" aria-pressed={only === undefined} onClick={() => setQuery({ severity: undefined })}>
      All
    </button>
    {SEVERITIES.map((severity) => (
      <button key={severity} type="button" aria-pressed={only === severity} onClick={() => setQuery({ severity })}>
        {WORDS[severity]} <span class="tally">{counts === undefined ? '' : countText(counts[severity])}</span>
      </button>
    ))}
  </fieldset>
);

const None = () => (
  <div class="card">
    <Empty title="No problems" command={{ words: 'check', reach: 'catalog' }}>
      Every skill that was found is served as it is written. This looks closer, and gives advice:
    </Empty>
  </div>
);

function Roots({ roots }: { readonly roots: readonly RootProblems[] }) {
  if (roots.length === 0)
    return (
      <div class="card">
        <Empty title="None of this kind">There are problems of other kinds. Choose All to see them.</Empty>
      </div>
    );
  return (
    <>
      {roots.map((root) => (
        <Root key={root.title} root={root} />
      ))}
    </>
  );
}

function Root({ root: { title, files } }: { readonly root: RootProblems }) {
  const [isWhole, setWhole] = useState(false);
  const count = files.reduce((sum, { problems }) => sum + problems.length, 0);
  return (
    <Card title={title} note={`${plural(count, 'problem')} in ${plural(files.length, 'file')}`}>
      <ProblemFiles files={isWhole ? files : files.slice(0, FIRST_FILES)} />
      {!isWhole && files.length > FIRST_FILES && (
        <div class="more">
          <button type="button" class="button" onClick={() => setWhole(true)}>
            Show all {plural(files.length, 'file')}
          </button>
        </div>
      )}
    </Card>
  );
}
