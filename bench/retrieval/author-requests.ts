// The authors' set: a public collection of collections, and the requests that the authors of some of them wrote to try their own
// skills with (`evals.json` beside a SKILL.md). Neither is kept here: both are read from a clone in a folder of the caller's.
import { dirname } from 'node:path';
import { parseSkillDocument } from '../../src/document/skill-document.ts';
import { readYamlFrontmatter } from '../../src/document/yaml-frontmatter.ts';
import type { SkillDocument } from './documents.ts';
import { hashOf } from './hash.ts';
import { openClone } from './public-skills.ts';
import type { Query } from './queries.ts';

const collection = { name: 'thereisnotime/skills-collection', commit: 'cbf6db9f5fc99fe1a01f4c5e8cca7bee38f5dc8d' };

/** Those whose authors wrote requests come first: of skills with one name the first counts. */
const withRequests = [
  'coreyhaines31--marketingskills',
  'samber--cc-skills-golang',
  'HeshamFS--materials-simulation-skills',
  'daymade--claude-code-skills',
  'glebis--claude-skills',
];
/** They copy skills of the others under other names: what answers a request could not be told. */
const leftOut: ReadonlySet<string> = new Set([
  'alirezarezvani--claude-skills',
  'jeremylongshore--claude-code-plugins-plus-skills',
  'ComposioHQ--awesome-claude-skills',
  'rohitg00--awesome-claude-code-toolkit',
  'mrgoonie--claudekit-skills',
]);
/** So that one author's long lists do not decide. */
const mostOfOneSkill = 6;

export interface AuthorSet {
  readonly documents: readonly SkillDocument[];
  readonly queries: readonly Query[];
}

/** `folder`: where the clone is or shall be. */
export function loadAuthorSet(folder: string): AuthorSet {
  const clone = openClone(folder, collection);
  const paths = clone.paths();
  const skillPaths = inOrder(paths.filter((path) => path.endsWith('/SKILL.md') && !isTranslation(path)));
  const known = new Set(paths);
  const documents = new Map<string, SkillDocument>();
  const requests: { readonly skill: string; readonly path: string }[] = [];
  for (const [index, bytes] of clone.read(skillPaths).entries()) {
    const path = skillPaths[index] as string;
    const text = bytes.toString('utf8');
    const document = parseSkillDocument(text, readYamlFrontmatter)?.document;
    if (document === undefined || documents.has(document.name)) continue;
    const { name, description, bodyOffset } = document;
    documents.set(name, { name, description, body: text.slice(bodyOffset) });
    if (!withRequests.includes(ownerOf(path))) continue;
    for (const file of ['evals/evals.json', 'evals.json']) {
      const asked = `${dirname(path)}/${file}`;
      if (known.has(asked)) requests.push({ skill: name, path: asked });
    }
  }
  const texts = clone.read(requests.map(({ path }) => path));
  return {
    documents: [...documents.values()],
    queries: requests.flatMap(({ skill }, index) => queriesOf(skill, String(texts[index]))),
  };
}

/** `skills/OWNER--NAME/…` */
const ownerOf = (path: string): string => path.split('/')[1] ?? '';

const isTranslation = (path: string): boolean => /\/docs\/([a-z]{2}([-/][A-Z]|\/)|i18n|translations?\/)/.test(path);

function inOrder(paths: readonly string[]): readonly string[] {
  const placeOf = (path: string): number => {
    const place = withRequests.indexOf(ownerOf(path));
    return place === -1 ? withRequests.length : place;
  };
  const used = paths.filter((path) => !leftOut.has(ownerOf(path)));
  return used.toSorted((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
}

/** What the files have in common: objects with a `prompt`, in a list or under `evals`. */
export function queriesOf(skill: string, file: string): readonly Query[] {
  const value: unknown = JSON.parse(file);
  const rows: readonly unknown[] = Array.isArray(value) ? value : ((value as { evals?: unknown[] }).evals ?? []);
  const prompts = rows.flatMap((row) => {
    const { prompt, should_trigger: isMeant = true } = row as { prompt?: unknown; should_trigger?: boolean };
    return typeof prompt === 'string' && isMeant ? [prompt] : [];
  });
  // By the skill: requests of one skill resemble each other, so all of them are in one half.
  const half = hashOf(`11${skill}`) % 2 === 0 ? 'tune' : 'held';
  return prompts
    .slice(0, mostOfOneSkill)
    .map((text, index) => ({ id: `${skill} ${index + 1}`, kind: 'author', text, relevant: [skill], half }));
}
