// One document skill: its text as it reads, what it says of itself, its files, what is wrong with it, who read it.
import type { ComponentChildren } from 'preact';
import { useLive } from '../api/live.ts';
import { useChange } from '../api/use-change.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { pathTo } from '../browser/router.ts';
import { Command } from '../components/command.tsx';
import { Crumb } from '../components/crumb.tsx';
import { FileList } from '../components/file-list.tsx';
import { MarkdownView } from '../components/markdown-view.tsx';
import { Name } from '../components/name.tsx';
import { Card, Page } from '../components/page.tsx';
import { FallbackPill, SeverityPill, UnnamedPill } from '../components/pills.tsx';
import { ProblemTable } from '../components/problem-list.tsx';
import { Failed, Skeleton } from '../components/states.tsx';
import { UsesCard } from '../components/uses-card.tsx';
import { When } from '../components/when.tsx';
import type { Finding, Me, SkillDocument } from '../model/shapes.ts';
import { plural } from '../text/format.ts';
import { bodyOf } from '../text/markdown.ts';

interface DocumentPageProps {
  /** A name, or a URI. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly me: Me;
}

export function DocumentPage({ name, query, me }: DocumentPageProps) {
  const loaded = useLoaded<SkillDocument>(`/api/documents/${encodeURIComponent(name)}`);
  useLive(me.may_read_log, (event) => event.kind === 'catalog' && loaded.reload());
  useChange(me, loaded.reload);
  const { value, trouble, reload } = loaded;
  if (value === undefined || trouble?.status === 404)
    return (
      <Page title={name} crumb={<Crumb to="skills" />}>
        <div key="coming" class="card">
          {trouble === undefined ? <Skeleton lines={12} /> : <Failed trouble={trouble} retry={reload} />}
        </div>
      </Page>
    );
  const title = value.name ?? value.folder ?? value.uri;
  return (
    <Page
      title={title}
      crumb={<Crumb to="skills" />}
      lede={value.description}
      tools={
        <span class="pills">
          {value.name === null && <UnnamedPill />}
          {value.availability === 'fallback' && <FallbackPill />}
        </span>
      }
    >
      <div key="there" class="columns">
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
          {me.may_read_log && <UsesCard name={title} kind="document" />}
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
  const { shadows, shadowed_by } = document;
  return (
    <Card title="About">
      <div class="card-body">
        <Command text={document.uri} what="URI" />
        <dl class="facts">
          <Fact name="Root">
            <code>{document.source}</code>
          </Fact>
          {document.base_directory !== null && (
            <Fact name="Folder">
              <code>
                <Name text={document.base_directory} />
              </code>
            </Fact>
          )}
          <Fact name="Read from disk">
            <When at={document.last_loaded} />
          </Fact>
          {document.name === null && <Fact name="Name">none of its own; it is found by its folder and its URI</Fact>}
          {shadowed_by !== null && (
            <Fact name="Name">
              taken by another skill; this one is served by its URI
              <Other other={shadowed_by} />
            </Fact>
          )}
          {shadows.length > 0 && (
            <Fact name="Shadows">
              {shadows.map((other) => (
                <Other key={`${other.source} ${other.path}`} other={other} />
              ))}
            </Fact>
          )}
          {Object.entries(further).map(([field, value]) => (
            <Fact key={field} name={field}>
              {typeof value === 'string' ? value : <code>{JSON.stringify(value)}</code>}
            </Fact>
          ))}
        </dl>
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

type Namesake = SkillDocument['shadows'][number];

/** Another skill of the name; one that is not served at all has no page. */
const Other = ({ other: { uri, path, source } }: { readonly other: Namesake }) => (
  <div>
    {uri === null ? (
      <span class="mono">{path}</span>
    ) : (
      <a class="mono" href={pathTo('documents', uri)}>
        {path}
      </a>
    )}{' '}
    <span class="small muted">in {source}</span>
  </div>
);
