// What another server offers by its index of skills (PROTOCOL 4): each as one file or as an archive of the same origin, by its digest.
import type { Issue } from '../document/issue.ts';
import { isValidName } from '../document/validate.ts';
import { toOneLine } from '../text/one-line.ts';
import { isRecord } from '../values/is-record.ts';
import { fail, ok, type Result } from '../values/result.ts';
import { type ArchiveEntry, BadArchive } from './archive/archive-entry.ts';
import { readTarGz } from './archive/read-tar.ts';
import { readZip } from './archive/read-zip.ts';
import { chooseFiles } from './choose-files.ts';
import type { MadeSkill } from './content.ts';
import { fetchUrl } from './fetch-url.ts';
import type { SourceProblem } from './find-skill-folders.ts';
import { LIMITS, type Offer, type OfferRequest, type SourceWorld } from './offer.ts';
import { sha256Of } from './skill-digest.ts';

export const INDEX_PATH = '/.well-known/agent-skills/index.json';
const MOST_INDEX_BYTES = 8 * 1024 * 1024;
/** Of all archives as they are sent, those that are refused included: as much as of a repository. */
const MOST_SENT = 2 * 1024 * 1024 * 1024;

interface IndexEntry {
  readonly name: string;
  readonly type: 'skill-md' | 'archive';
  readonly url: URL;
  readonly digest: string;
}

export async function offerOfIndex(request: OfferRequest, origin: string): Promise<Result<Offer, string>> {
  const { world, pinned, paths, only } = request;
  const indexUrl = new URL(INDEX_PATH, origin);
  const fetched = await fetchIndex(origin, world);
  if (!fetched.ok) return fetched;
  const commit = sha256Of(fetched.value);
  // It has no history: the one that was pinned is there as long as it is the one that is served.
  if (pinned !== undefined && pinned !== commit)
    return fail(
      `the index ${pinned.slice(0, 7)} is gone from it, which has another one now; run update to see what changed`,
    );
  const parsed = parseIndex(fetched.value, indexUrl);
  if (!parsed.ok) return fail(`its index ${parsed.failure}`);
  const missing = paths.find((path) => !parsed.value.entries.some(({ name }) => name === path));
  if (missing !== undefined) return fail(`its index has no skill "${missing}"`);
  const wanted = parsed.value.entries.filter(
    ({ name }) => (paths.length === 0 || paths.includes(name)) && (only?.has(name) ?? true),
  );
  const taken = await takeEntries(wanted, request);
  if (!taken.ok) return taken;
  const problems = [...parsed.value.problems, ...taken.value.problems];
  return ok({
    commit,
    refName: undefined,
    isRewritten: false,
    skills: taken.value.skills,
    problems,
  });
}

/** The failure is half a sentence. */
export async function fetchIndex(origin: string, world: SourceWorld): Promise<Result<Buffer, string>> {
  const fetched = await fetchUrl(new URL(INDEX_PATH, origin), { ...world, mostBytes: MOST_INDEX_BYTES });
  return fetched.ok ? fetched : fail(`it has no index at ${INDEX_PATH}: ${fetched.failure}`);
}

interface ParsedIndex {
  readonly entries: readonly IndexEntry[];
  readonly problems: readonly SourceProblem[];
}

/** An entry that is wrong costs its skill. The failure follows "its index". */
export function parseIndex(bytes: Buffer, indexUrl: URL): Result<ParsedIndex, string> {
  const json = parseJson(bytes);
  if (!isRecord(json) || !Array.isArray(json.skills)) return fail('is not the JSON of an index of skills');
  if (typeof json.$schema !== 'string' || !json.$schema.includes('/0.2.0/')) return fail('is not of version 0.2.0');
  if (json.skills.length > LIMITS.files) return fail(`has more than ${LIMITS.files} skills`);
  const entries: IndexEntry[] = [];
  const problems: SourceProblem[] = [];
  for (const [index, value] of json.skills.entries()) {
    const entry = parseEntry(value, indexUrl);
    const name = isRecord(value) && typeof value.name === 'string' ? toOneLine(value.name, 64) : `skills[${index}]`;
    const isTwice = entry.ok && entries.some((each) => each.name === entry.value.name);
    if (!entry.ok) problems.push({ ...costs(entry.failure), path: name });
    else if (isTwice) problems.push({ ...costs('the index names it twice'), path: name });
    else entries.push(entry.value);
  }
  return ok({ entries, problems });
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function parseEntry(value: unknown, indexUrl: URL): Result<IndexEntry, string> {
  if (!isRecord(value)) return fail('its entry in the index is no object');
  const { name, type, description, url, digest } = value;
  if (typeof name !== 'string' || !isValidName(name))
    return fail('its name in the index is none that a skill may have');
  if (type !== 'skill-md' && type !== 'archive') return fail('its type in the index is neither skill-md nor archive');
  if (typeof description !== 'string' || description === '') return fail('the index has no description of it');
  if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest))
    return fail('its digest in the index is none');
  const address = typeof url === 'string' && URL.canParse(url, indexUrl.href) ? new URL(url, indexUrl) : undefined;
  if (address?.origin !== indexUrl.origin || address.username + address.password !== '')
    return fail('its address in the index leads to another origin');
  return ok({ name, type, url: address, digest });
}

async function takeEntries(
  entries: readonly IndexEntry[],
  { workshop, world }: OfferRequest,
): Promise<Result<Pick<Offer, 'skills' | 'problems'>, string>> {
  const skills: MadeSkill[] = [];
  const problems: SourceProblem[] = [];
  const left = { files: LIMITS.files, bytes: LIMITS.bytes };
  let sent = 0;
  const onBytes = (length: number): void => {
    sent += length;
  };
  for (const [index, entry] of entries.entries()) {
    world.onProgress?.(`${entry.name} (${index + 1} of ${entries.length})`);
    const fetched = await fetchUrl(entry.url, { ...world, mostBytes: LIMITS.bytes, onBytes });
    if (sent > MOST_SENT) return fail('it sends more than 2 GB');
    if (world.signal?.aborted) return fail('it was stopped');
    const files = fetched.ok ? await unpack(entry, fetched.value) : fetched;
    if (!files.ok) {
      problems.push({ ...costs(files.failure), path: entry.name });
      continue;
    }
    const choice = chooseFiles(files.value);
    if (!choice.ok) {
      problems.push({ ...choice.failure, path: entry.name });
      continue;
    }
    left.files -= files.value.length;
    left.bytes -= files.value.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (left.files < 0 || left.bytes < 0)
      return fail(
        `it has more than ${LIMITS.files} files, or more than ${LIMITS.bytes / 1024 / 1024} MB; choose skills with --path`,
      );
    const open = workshop.open();
    for (const { path, entry: file, executable } of choice.value.files) open.add(path, file.bytes, executable);
    skills.push(open.close(entry.name));
  }
  skills.sort((a, b) => (a.path < b.path ? -1 : 1));
  return ok({ skills, problems });
}

/** The failure is half a sentence. */
async function unpack({ type, digest }: IndexEntry, bytes: Buffer): Promise<Result<readonly ArchiveEntry[], string>> {
  if (`sha256:${sha256Of(bytes)}` !== digest) return fail('what the server sends is not what its index says');
  if (type === 'skill-md') return ok([{ path: 'SKILL.md', isUtf8: true, kind: 'file', executable: false, bytes }]);
  try {
    const entries: ArchiveEntry[] = [];
    for await (const entry of readArchive(bytes)) {
      if (entry.kind === 'link') return fail(`its archive has a link, "${toOneLine(entry.path, 120)}"`);
      entries.push({ ...entry, path: entry.path.replace(/^(?:\.\/)+/, '') });
    }
    const hasText = entries.some(({ path }) => /^skill\.md$/i.test(path));
    return hasText ? ok(entries) : fail('its archive has no SKILL.md at its top');
  } catch (error) {
    if (error instanceof BadArchive) return fail(`its archive cannot be read: ${error.message}`);
    throw error;
  }
}

function readArchive(bytes: Buffer): AsyncGenerator<ArchiveEntry> | Generator<ArchiveEntry> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return readTarGz(bytes, LIMITS);
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readZip(bytes, LIMITS);
  throw new BadArchive('it is neither a .tar.gz nor a .zip');
}

const costs = (cause: string): Issue => ({
  rule: 'source-bad-archive',
  severity: 'error',
  message: `Cannot take this skill from its source: ${cause}`,
  fix: 'Tell the owner of the source',
});
