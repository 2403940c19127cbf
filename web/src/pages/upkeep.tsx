// Which skills need a look: never found, never used, nearly the same, too long, shown twice; by kind, each with what to do.
import { useState } from 'preact/hooks';
import { windowWords } from '../../../src/values/duration-ms.ts';
import { withQuery } from '../api/ask.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { setQuery } from '../browser/router.ts';
import { OwnCommand } from '../components/own-command.tsx';
import { Card, Page } from '../components/page.tsx';
import { Empty, Show } from '../components/states.tsx';
import type { Upkeep, UpkeepFinding } from '../model/shapes.ts';
import { countText, plural } from '../text/format.ts';

const LEDE = 'Skills that need a look: never found, never used, nearly the same, too long or shown twice.';

const WINDOWS = ['7d', '30d', '90d'] as const;
const USUAL = '30d';

export function UpkeepPage({ query }: { readonly query: URLSearchParams }) {
  const window = WINDOWS.find((choice) => choice === query.get('window')) ?? USUAL;
  const loaded = useLoaded<Upkeep>(withQuery('/api/upkeep', { window }), { keep: true });
  return (
    <Page title="Upkeep" lede={LEDE} tools={<Windows window={window} />}>
      {loaded.value === undefined ? (
        <div class="card">
          <Show loaded={loaded} lines={6}>
            {() => undefined}
          </Show>
        </div>
      ) : (
        <Findings upkeep={loaded.value} />
      )}
    </Page>
  );
}

const Windows = ({ window }: { readonly window: string }) => (
  <fieldset class="segments">
    <legend class="unseen">How far back uses count</legend>
    {WINDOWS.map((choice) => (
      <button
        key={choice}
        type="button"
        aria-pressed={choice === window}
        onClick={() => setQuery({ window: choice === USUAL ? undefined : choice })}
      >
        {choice}
      </button>
    ))}
  </fieldset>
);

/** In this order; what a later server tells besides comes behind, under its own name. */
const HEADINGS: Readonly<Record<string, string>> = {
  'near-duplicate': 'Nearly the same',
  'shown-twice': 'Shown to hosts that have them',
  'never-found': 'Never found',
  'never-used': 'Never used',
  'too-long': 'Too long',
};

function Findings({ upkeep }: { readonly upkeep: Upkeep }) {
  const { findings } = upkeep;
  const rules = [...new Set([...Object.keys(HEADINGS), ...findings.map(({ rule }) => rule)])];
  return (
    <>
      {!upkeep.uses_known && upkeep.skills_checked > 0 && (
        <div class="card">
          <Empty title={`Nothing was recorded in the last ${windowWords(upkeep.window)}`}>
            Which skills are never used is not known yet. The rest follows from the skills alone.
          </Empty>
        </div>
      )}
      {findings.length === 0 && <None upkeep={upkeep} />}
      {rules.map((rule) => {
        const own = findings.filter((finding) => finding.rule === rule);
        return own.length > 0 && <Kind key={rule} title={HEADINGS[rule] ?? rule} findings={own} />;
      })}
    </>
  );
}

const None = ({ upkeep }: { readonly upkeep: Upkeep }) => (
  <div class="card">
    {upkeep.skills_checked === 0 ? (
      <Empty title="No skills" command={{ words: 'doctor', reach: 'catalog' }}>
        There is nothing to look after. This shows which folders were searched:
      </Empty>
    ) : (
      <Empty title="Nothing to do">{plural(upkeep.skills_checked, 'skill')} looked at.</Empty>
    )}
  </div>
);

const FIRST = 25;

function Kind({ title, findings }: { readonly title: string; readonly findings: readonly UpkeepFinding[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? findings : findings.slice(0, FIRST);
  return (
    <Card title={title} note={plural(findings.length, 'finding')}>
      <ul class="problem-files">
        {shown.map((finding) => (
          <Found key={`${finding.skill.kind} ${finding.skill.uri ?? finding.skill.name}`} finding={finding} />
        ))}
      </ul>
      {shown.length < findings.length && (
        <div class="more">
          <button type="button" class="button" onClick={() => setWhole(true)}>
            Show all {countText(findings.length)}
          </button>
        </div>
      )}
    </Card>
  );
}

const Found = ({ finding }: { readonly finding: UpkeepFinding }) => (
  <li>
    <h3 class="mono break">
      <SkillLink skill={finding.skill} />
      {finding.others.map((other) => (
        <>
          {', '}
          <SkillLink skill={other} />
        </>
      ))}
    </h3>
    <div class="break">
      {finding.message}
      <div class="muted">{finding.fix}</div>
    </div>
    <span class="pills">
      {finding.skill.kind === 'document' && <span class="pill">about {plural(finding.tokens, 'token')}</span>}
      {finding.uses !== null && <span class="pill">{plural(finding.uses, 'use')}</span>}
    </span>
    {finding.command !== null && (
      <OwnCommand words={finding.command.replace(/^repertoire /, '')} reach={reachOf(finding)} />
    )}
  </li>
);

/** Uses are in the log, the rest in the folders. */
const reachOf = ({ rule }: UpkeepFinding) => (rule === 'never-used' ? 'store' : 'catalog');

const SkillLink = ({ skill: { kind, name } }: { readonly skill: UpkeepFinding['skill'] }) => (
  <a href={`/${kind === 'typed' ? 'typed' : 'documents'}/${encodeURIComponent(name)}`}>{name}</a>
);
