// One document skill: its text as it reads, what it says of itself, its files, what is wrong with it, who read it.
import type { ComponentChildren } from 'preact';
import { withQuery } from '../api/ask.ts';
import { useLive } from '../api/live.ts';
import type { Finding, LoadList, Me, Problem, ProblemList, SkillDocument } from '../api/shapes.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { Command } from '../components/command.tsx';
import { FileList } from '../components/file-list.tsx';
import { MarkdownView } from '../components/markdown-view.tsx';
import { Card, Page } from '../components/page.tsx';
import { AvailabilityPill, SeverityPill, Time } from '../components/pills.tsx';
import { Empty, Failed, Show, Skeleton } from '../components/states.tsx';
import { plural } from '../format.ts';
import { bodyOf } from '../markdown.ts';
import { pathTo } from '../router.ts';
import { shellWord } from '../shell-word.ts';
import { ProblemTable } from './problems.tsx';

interface DocumentPageProps {
  /** A name, or a URI. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly me: Me;
}

const CRUMB = <a href="/skills">Skills</a>;

export function DocumentPage({ name, query, me }: DocumentPageProps) {
  const loaded = useLoaded<SkillDocument>(`/api/documents/${encodeURIComponent(name)}`);
  useLive(me.may_read_log, (event) => event.kind === 'catalog' && loaded.reload());
  const { value, trouble, reload } = loaded;
  if (value === undefined)
    return (
      <Page title={name} crumb={CRUMB}>
        <div class="card">
          {trouble === undefined ? <Skeleton lines={12} /> : <Failed trouble={trouble} retry={reload} />}
        </div>
      </Page>
    );
  return (
    <Page title={value.name} crumb={CRUMB} lede={value.description} tools={<AvailabilityPill {...value} />}>
      <div class="columns">
        <div>
          <Troubles document={value} />
          <Card title="Document" note={value.files.find(({ uri }) => uri === value.uri)?.path ?? 'SKILL.md'}>
            <div class="card-body">
              <MarkdownView text={bodyOf(value.content)} files={value.files.map(({ path }) => path)} />
            </div>
          </Card>
        </div>
        <div>
          <Facts document={value} />
          <FileList document={value} open={query.get('file') ?? undefined} />
          {me.may_read_log && <Loads name={value.name} />}
        </div>
      </div>
    </Page>
  );
}

const Troubles = ({ document: { problems, findings } }: { readonly document: SkillDocument }) => (
  <>
    {problems.length > 0 && (
      <Card title={plural(problems.length, 'problem')}>
        <ProblemTable problems={problems} />
      </Card>
    )}
    {findings.length > 0 && (
      <Card title={plural(findings.length, 'finding')} note="for a reader to judge">
        <Findings findings={findings} />
      </Card>
    )}
  </>
);

const Findings = ({ findings }: { readonly findings: readonly Finding[] }) => (
  <table class="table">
    <thead class="unseen">
      <tr>
        <th scope="col">Severity</th>
        <th scope="col">Finding</th>
      </tr>
    </thead>
    <tbody>
      {findings.map((finding) => (
        <tr key={`${finding.path} ${finding.line} ${finding.rule}`}>
          <td class="fit">
            <SeverityPill severity={finding.severity} />
          </td>
          <td class="wide">
            {finding.message} <span class="muted">{finding.fix}</span>
            <div class="mono muted">
              {finding.path}:{finding.line} {finding.excerpt}
            </div>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

function Facts({ document }: { readonly document: SkillDocument }) {
  const { name: _name, description: _description, ...further } = document.frontmatter;
  const isShadowed = document.problems.some(({ rule }) => rule === 'shadowed');
  return (
    <Card title="About">
      <div class="card-body">
        <dl class="facts">
          <Fact name="URI">
            <code>{document.uri}</code>
          </Fact>
          <Fact name="Root">
            <code>{document.source}</code>
          </Fact>
          {document.base_directory !== null && (
            <Fact name="Folder">
              <code>{document.base_directory}</code>
            </Fact>
          )}
          <Fact name="Read from disk">
            <Time at={document.last_loaded} />
          </Fact>
          {isShadowed && <Fact name="Name">taken by another skill; this one is served by its URI</Fact>}
          <Shadowed document={document} />
          {Object.entries(further).map(([field, value]) => (
            <Fact key={field} name={field}>
              {typeof value === 'string' ? value : <code>{JSON.stringify(value)}</code>}
            </Fact>
          ))}
        </dl>
        <Command text={`repertoire show ${shellWord(document.name)}`} />
      </div>
    </Card>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <>
    <dt class="break">{name}</dt>
    <dd>{children}</dd>
  </>
);

/** Skills of the same name that this one keeps from being served by it. */
function Shadowed({ document: { name, uri } }: { readonly document: SkillDocument }) {
  const { value } = useLoaded<ProblemList>('/api/problems');
  const isOfName = ({ rule, message }: Problem) => rule === 'shadowed' && message.includes(JSON.stringify(name));
  const others = (value?.problems ?? []).filter(isOfName).map(({ path }) => ({ path, own: uriOf(path) }));
  if (others.length === 0 || others.some(({ own }) => own === uri)) return null;
  return (
    <Fact name="Shadows">
      {others.map(({ path, own }) => (
        <div key={path}>
          <a class="mono" href={pathTo('documents', own)}>
            {path}
          </a>
        </div>
      ))}
    </Fact>
  );
}

const uriOf = (path: string): string =>
  `skill://${path.split('/').slice(0, -1).map(encodeURIComponent).join('/')}/SKILL.md`;

function Loads({ name }: { readonly name: string }) {
  const loads = useLoaded<LoadList>(withQuery('/api/loads', { skill: name, limit: 10 }));
  return (
    <Card title="Last read">
      <Show loaded={loads} lines={3}>
        {({ loads: list }) =>
          list.length === 0 ? (
            <Empty title="Nobody has read it yet">An agent that loads it shows up here.</Empty>
          ) : (
            <table class="table">
              <thead class="unseen">
                <tr>
                  <th scope="col">Client</th>
                  <th scope="col">When</th>
                </tr>
              </thead>
              <tbody>
                {list.map((load) => (
                  <tr key={`${load.loaded_at} ${load.client} ${load.surface}`}>
                    <td class="wide">
                      {load.client} <span class="muted small">by {load.surface}</span>
                    </td>
                    <td class="number small">
                      <Time at={load.loaded_at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Show>
    </Card>
  );
}
