// The library's skills and versions: what there is, what a version changes, and making one (L1, L3).
import { isUtf8 } from 'node:buffer';
import { openYamlReader } from '../document/frontmatter.ts';
import { checkFiles } from '../library/check-files.ts';
import { compareVersions } from '../library/compare-versions.ts';
import type { LibraryRefusal, Version } from '../library/library.ts';
import { noSkill, noVersion } from '../library/refusals.ts';
import { fail, ok } from '../values/result.ts';
import { LIBRARY_READERS, PROPOSERS } from './access.ts';
import {
  actorFor,
  diffJson,
  type LibraryPorts,
  libraryAnswer,
  libraryDiff,
  librarySkill,
  libraryVersion,
  skillJson,
  versionJson,
  wholeVersion,
} from './library-json.ts';
import { type Answer, type Asking, asFound, invalidInput, operation } from './operation.ts';
import { unstorable } from './parameters.ts';
import { choice, flag, list, record, text, type ValuesOf } from './shape.ts';

const API = { tag: 'library', failures: [404, 503] } as const;

const name = text({ least: 1, most: 200, fault: unstorable }).about('Name of the skill');

export const DIGEST = /^sha256:[0-9a-f]{64}$/;
const digest = text({ pattern: DIGEST, wanted: 'sha256: and 64 hexadecimal digits' });

export const listLibrary = operation({
  id: 'list_library',
  summary: 'The skills of the library, with what is served, what is newest and what waits',
  access: LIBRARY_READERS,
  input: {},
  output: record({
    skills: list(librarySkill),
    review: choice(['off', 'on']).about('on: a version is served only after someone other than its author approved it'),
  }).named('LibraryList'),
  run: async (_input, _asking, { library }: LibraryPorts) => {
    const [skills, review] = await Promise.all([library.list(), library.policy()]);
    return ok({ skills: skills.map(skillJson), review });
  },
  project: asFound,
  http: { ...API, id: 'listLibrary', method: 'GET', path: '/api/library', answer: 'The skills', failures: [503] },
});

export const listVersions = operation({
  id: 'list_versions',
  summary: 'The versions of a skill of the library, newest first; also of one that was deleted',
  access: LIBRARY_READERS,
  input: { name },
  output: record({ versions: list(libraryVersion) }).named('LibraryVersions'),
  run: async ({ name: of }, _asking, { library }: LibraryPorts) => {
    const versions = await library.versions(of);
    return versions.length === 0 ? refused(noSkill(of)) : ok({ versions: versions.map(versionJson) });
  },
  project: asFound,
  http: { ...API, id: 'listVersions', method: 'GET', path: '/api/library/{name}/versions', answer: 'The versions' },
});

export const getVersion = operation({
  id: 'get_version',
  summary: 'One version of a skill of the library, with its files',
  access: LIBRARY_READERS,
  input: { name, digest: digest.about('Of the version') },
  output: wholeVersion,
  run: async ({ name: of, digest: which }, _asking, ports: LibraryPorts) => {
    const version = await ports.library.findVersion(of, which);
    return version === undefined
      ? refused(noVersion({ name: of, digest: which }))
      : ok(await withFiles(version, ports));
  },
  project: asFound,
  http: {
    ...API,
    id: 'getVersion',
    method: 'GET',
    path: '/api/library/{name}/versions/{digest}',
    answer: 'The version and its files',
  },
});

export const compareLibraryVersions = operation({
  id: 'compare_versions',
  summary: 'What one version of a skill changes in another: files, lines, and findings that are new',
  access: LIBRARY_READERS,
  input: {
    name,
    from: digest.about('The version before; nothing when left out').optional(),
    to: digest.about('The version after'),
  },
  output: libraryDiff,
  run: async ({ name: of, from, to }, _asking, { library }: LibraryPorts) => {
    const [before, after] = await Promise.all([
      from === undefined ? undefined : library.findVersion(of, from),
      library.findVersion(of, to),
    ]);
    if (after === undefined) return refused(noVersion({ name: of, digest: to }));
    if (from !== undefined && before === undefined) return refused(noVersion({ name: of, digest: from }));
    return ok(diffJson(of, from ?? null, to, await compareVersions(before, after, library)));
  },
  project: asFound,
  http: { ...API, id: 'compareVersions', method: 'GET', path: '/api/library/{name}/diff', answer: 'The difference' },
});

const file = record({
  path: text().about("Below the skill's folder, with `/`"),
  text: text().about('Its text; exactly one of text and base64').optional(),
  base64: text().about('Its bytes').optional(),
  executable: flag.optional(),
}).named('GivenFile');

export const versionFields = {
  // What is wrong with it is told with all other faults (L7).
  name: text({ least: 1, most: 200 }).about('Name of the skill'),
  files: list(file).about('Every file of the skill, with a SKILL.md at the top: at most 512, and 16 MB together'),
  message: text({ least: 1, most: 2_000 }).about('What it changes, and why'),
  base: digest.about('The digest of the version that it was made from').optional(),
};

const madeVersion = record({
  version: libraryVersion,
  created: flag.about('false: the same files were a version already'),
}).named('MadeVersion');

type Given = ValuesOf<typeof versionFields>;

/** `onlyProposed`: it waits for a decision, also when an approver asks. */
export async function makeVersion(
  given: Given,
  { caller }: Pick<Asking, 'caller'>,
  { library, refreshLibrary }: LibraryPorts,
  onlyProposed = false,
): Promise<Answer<{ readonly version: ReturnType<typeof versionJson>; readonly created: boolean }>> {
  const checked = checkFiles(given.name, given.files, await openYamlReader());
  if (!checked.ok) return invalidInput(faultsText(checked.failure));
  const { base, message } = given;
  const made = libraryAnswer(
    await library.make({ name: given.name, ...checked.value, message, base, actor: actorFor(caller), onlyProposed }),
  );
  if (!made.ok) return made;
  refreshLibrary?.();
  return ok({ version: versionJson(made.value.version), created: made.value.isNew });
}

/** More than one for each file that a skill may have. */
const MOST_TOLD = 600;

function faultsText(faults: readonly string[]): string {
  const more = faults.length - MOST_TOLD;
  return [...faults.slice(0, MOST_TOLD), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

export const putVersion = operation({
  id: 'put_version',
  summary: 'Make a version of a skill of the library; the same files again are the same version',
  access: PROPOSERS,
  input: versionFields,
  output: madeVersion,
  run: (given, asking, ports: LibraryPorts) => makeVersion(given, asking, ports),
  project: asFound,
  http: {
    ...API,
    id: 'putVersion',
    method: 'PUT',
    path: '/api/library/{name}',
    bodyName: 'VersionRequest',
    bodyAbout: 'The files of the version; up to 24 MB',
    answer: 'The version',
    failures: [409, 503],
  },
});

const refused = (refusal: LibraryRefusal) => libraryAnswer<never>(fail(refusal));

async function withFiles(version: Version, { library }: LibraryPorts) {
  const bytes = await library.readFiles(version.files);
  return {
    ...versionJson(version),
    files: version.files.map(({ path, sha256, executable, size }) => ({
      path,
      ...contentOf(bytes.get(sha256)),
      executable,
      size,
      digest: `sha256:${sha256}`,
    })),
  };
}

function contentOf(bytes: Buffer | undefined): { readonly text?: string; readonly base64?: string } {
  if (bytes === undefined) return {};
  return isUtf8(bytes) && !bytes.includes(0) ? { text: bytes.toString('utf8') } : { base64: bytes.toString('base64') };
}
