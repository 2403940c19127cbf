// A git repository that skills come from, fetched into a bare one of ours that is thrown away: which commit a ref is, what a commit
// holds, and the bytes of it. Nothing is ever checked out (S5).
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codeOf } from '../../values/error-code.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { BlobReader } from './blob-reader.ts';
import { type GitFailure, type GitWorld, runGit } from './run-git.ts';

export interface ResolvedRef {
  readonly commit: string;
  /** The full name of the ref; absent for a commit. */
  readonly name: string | undefined;
}

export interface TreeEntry {
  /** As git has it, as UTF-8. */
  readonly path: string;
  readonly isUtf8: boolean;
  readonly mode: string;
  readonly id: string;
  /** In bytes; 0 where it is not known. */
  readonly size: number;
}

/** The files under the given paths, and no more than this many bytes in them. */
export interface TreeLimits {
  readonly files: number;
  readonly bytes: number;
}

/** Where git fetches from. */
export interface GitPlace {
  readonly url: string;
  /** On this machine: there is nothing to be gained by fetching less. */
  readonly isLocal: boolean;
  /** Absolute: the directory, where it is one. */
  readonly directory?: string;
}

/** What is fetched at most, compressed: a server that never ends is stopped. */
const MOST_FETCHED = 2 * 1024 * 1024 * 1024;
/** The name under which git knows where to fetch from. */
const REMOTE = 'origin';
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export class Repository {
  readonly #place: GitPlace;
  readonly #directory: string;
  readonly #world: GitWorld;

  private constructor(place: GitPlace, directory: string, world: GitWorld) {
    this.#place = place;
    this.#directory = directory;
    this.#world = world;
  }

  /** `directory`: a new folder of ours, which the caller throws away. The failure is half a sentence. */
  static async open(place: GitPlace, directory: string, world: GitWorld): Promise<Result<Repository, string>> {
    const fault = place.directory === undefined ? undefined : await findDirectoryFault(place.directory, world);
    if (fault !== undefined) return fail(fault);
    mkdirSync(directory, { recursive: true });
    const isLong = place.directory !== undefined && usesSha256(place.directory);
    const made = await runGit(
      {
        words: [
          'init',
          '--quiet',
          '--bare',
          '--template=',
          ...(isLong ? ['--object-format=sha256'] : []),
          '--',
          directory,
        ],
      },
      world,
    );
    if (!made.ok) return fail(made.failure.reason);
    const repository = new Repository(place, directory, { ...world, hasOwnSsh: await hasOwnSsh(place, world) });
    const named = await repository.#run(['config', `remote.${REMOTE}.url`, place.url]);
    return named.ok ? ok(repository) : fail(named.failure.reason);
  }

  /** `ref`: a branch, a tag, a commit; `null`: what the source itself shows. `mayFetch`: for a commit that is abbreviated. */
  async resolve(ref: string | null, { mayFetch = true } = {}): Promise<Result<ResolvedRef, string>> {
    if (ref !== null && COMMIT.test(ref)) return ok({ commit: ref, name: undefined });
    const names = ref === null ? ['HEAD'] : namesOf(ref);
    const listed = await this.#run([
      'ls-remote',
      '--quiet',
      '--',
      REMOTE,
      ...names.flatMap((name) => [name, `${name}^{}`]),
    ]);
    if (!listed.ok) return fail(listed.failure.reason);
    const ids = new Map(
      listed.value
        .toString('utf8')
        .split('\n')
        .map((line) => line.split('\t') as [string, string])
        .map(([id, name]) => [name, id]),
    );
    for (const name of names) {
      const commit = ids.get(`${name}^{}`) ?? ids.get(name);
      if (commit !== undefined && COMMIT.test(commit)) return ok({ commit, name });
    }
    if (ref === null) return fail('the repository has no commit yet');
    if (mayFetch && /^[0-9a-f]{7,63}$/.test(ref)) return this.#resolveShort(ref);
    return fail(`it has no branch, tag or commit "${ref}"`);
  }

  /** An abbreviated commit is only known to who has them all. */
  async #resolveShort(ref: string): Promise<Result<ResolvedRef, string>> {
    const fetched = await this.#fetchEverything();
    if (!fetched.ok) return fail(fetched.failure.reason);
    const found = await this.#run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
    const commit = found.ok ? found.value.toString('utf8').trim() : '';
    return COMMIT.test(commit) ? ok({ commit, name: undefined }) : fail(`it has no branch, tag or commit "${ref}"`);
  }

  /** Brings the commit here: as little of it as the other side can give. */
  async fetch(commit: string, { onlySome }: { readonly onlySome: boolean }): Promise<Result<string, string>> {
    const filter = onlySome && !this.#place.isLocal ? ['--filter=blob:none'] : [];
    const fetched = await this.#fetch(['--depth=1', ...filter, '--', REMOTE, commit]);
    if (!fetched.ok) {
      if (fetched.failure.kind !== 'failed') return fail(fetched.failure.reason);
      if (/not our ref/i.test(fetched.failure.reason)) return fail(gone(commit));
      // An old server, or a plain web server: it gives all or nothing.
      const all = await this.#fetchEverything();
      if (!all.ok) return fail(all.failure.reason);
    }
    const found = await this.#run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`]);
    if (found.ok) return ok(found.value.toString('utf8').trim());
    const other = await this.#run(['cat-file', '-t', commit]);
    return fail(
      other.ok ? `${commit.slice(0, 7)} is no commit, but a ${other.value.toString('utf8').trim()}` : gone(commit),
    );
  }

  /** Every file under the paths (none: all of it). The failure is half a sentence. */
  async entries(
    commit: string,
    paths: readonly string[],
    limits: TreeLimits,
  ): Promise<Result<readonly TreeEntry[], string>> {
    const listed = await this.#run(['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...paths]);
    if (!listed.ok) return fail(listed.failure.reason);
    const entries = parseTree(listed.value);
    const missing = paths.find((path) => !entries.some((entry) => entry.path.startsWith(`${path}/`)));
    if (missing !== undefined) return fail(`it has no folder "${missing}" at ${commit.slice(0, 7)}`);
    if (entries.length > limits.files)
      return fail(`there are more than ${limits.files} files under ${placeText(paths)}; choose folders with --path`);
    const blobs = entries.filter(({ mode }) => mode !== SUBMODULE);
    const ids = [...new Set(blobs.map(({ id }) => id))];
    const brought = await this.#bringBlobs(ids);
    if (!brought.ok) return brought;
    const sizes = await this.#sizes(ids);
    if (!sizes.ok) return sizes;
    if (sizes.value.size < ids.length) return fail('an object that a tree names is missing, or no file');
    const total = blobs.reduce((sum, { id }) => sum + (sizes.value.get(id) ?? 0), 0);
    if (total > limits.bytes)
      return fail(
        `there are more than ${limits.bytes / 1024 / 1024} MB under ${placeText(paths)}; choose folders with --path`,
      );
    const devices = await this.#findDevices(commit, entries);
    return ok(
      entries.map((entry) => ({
        ...entry,
        mode: entry.mode === SUBMODULE && devices.has(entry.id) ? DEVICE : entry.mode,
        size: sizes.value.get(entry.id) ?? 0,
      })),
    );
  }

  /** Git shows a mode that it does not know as that of a submodule: the tree itself says which it is. */
  async #findDevices(commit: string, entries: readonly TreeEntry[]): Promise<ReadonlySet<string>> {
    const suspects = entries.filter(({ mode, path }) => mode === SUBMODULE && !path.includes('\n'));
    const folders = [...new Set(suspects.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/')))))];
    const devices = new Set<string>();
    const input = folders.map((folder) => `${commit}:${folder}\n`).join('');
    const reader = new BlobReader((_id, bytes) => {
      for (const { mode, id } of rowsOf(bytes, commit.length / 2)) if (!KNOWN_MODES.has(mode)) devices.add(id);
    });
    if (input !== '') await this.#run(['cat-file', '--batch'], { input, onOutput: (piece) => reader.take(piece) });
    return devices;
  }

  #isPartial(): boolean {
    const packs = join(this.#directory, 'objects', 'pack');
    return existsSync(packs) && readdirSync(packs).some((name) => name.endsWith('.promisor'));
  }

  /** The bytes of these objects, in their order. */
  read(ids: readonly string[], onBlob: (id: string, bytes: Buffer) => void): Promise<Result<undefined, string>> {
    const reader = new BlobReader(onBlob);
    if (ids.length === 0) return Promise.resolve(ok(undefined));
    return this.#run(['cat-file', '--batch'], {
      input: `${ids.join('\n')}\n`,
      onOutput: (piece) => reader.take(piece),
    }).then((read) => {
      if (!read.ok) return fail(read.failure.reason);
      return reader.count === ids.length ? ok(undefined) : fail('an object that a tree names is missing');
    });
  }

  /** Whether the history of `commit` still has `former`. `undefined`: the other side does not tell. */
  async hasInHistory(commit: string, former: string): Promise<boolean | undefined> {
    const unshallow = existsSync(join(this.#directory, 'shallow')) ? ['--unshallow'] : [];
    const fetched = await this.#fetch([
      ...unshallow,
      ...(this.#place.isLocal ? [] : ['--filter=tree:0']),
      '--',
      REMOTE,
      commit,
    ]);
    if (!fetched.ok) return undefined;
    const known = await this.#run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${former}^{commit}`]);
    if (!known.ok) return false;
    return (await this.#run(['merge-base', '--is-ancestor', former, commit])).ok;
  }

  #fetchEverything(): Promise<Result<Buffer, GitFailure>> {
    return this.#fetch(['--', REMOTE, '+refs/heads/*:refs/found/heads/*', '+refs/tags/*:refs/found/tags/*']);
  }

  #fetch(words: readonly string[]): Promise<Result<Buffer, GitFailure>> {
    return this.#run([
      'fetch',
      '--progress',
      '--no-tags',
      '--no-write-fetch-head',
      '--recurse-submodules=no',
      ...words,
    ]);
  }

  /** Where only trees were fetched: all files at once, not one by one. */
  async #bringBlobs(ids: readonly string[]): Promise<Result<undefined, string>> {
    if (!this.#isPartial() || ids.length === 0) return ok(undefined);
    const fetched = await this.#run(
      [
        'fetch',
        '--progress',
        '--no-tags',
        '--no-write-fetch-head',
        '--recurse-submodules=no',
        '--filter=blob:none',
        '--stdin',
        '--',
        REMOTE,
      ],
      { input: `${ids.join('\n')}\n` },
    );
    return fetched.ok ? ok(undefined) : fail(fetched.failure.reason);
  }

  /** Of files alone. */
  async #sizes(ids: readonly string[]): Promise<Result<ReadonlyMap<string, number>, string>> {
    if (ids.length === 0) return ok(new Map());
    const asked = await this.#run(['cat-file', '--batch-check'], { input: `${ids.join('\n')}\n` });
    if (!asked.ok) return fail(asked.failure.reason);
    const sizes = new Map<string, number>();
    for (const line of asked.value.toString('utf8').split('\n')) {
      const [id = '', type, size] = line.split(' ');
      if (type === 'blob') sizes.set(id, Number(size));
    }
    return ok(sizes);
  }

  #run(words: readonly string[], more: { readonly input?: string; readonly onOutput?: (piece: Buffer) => void } = {}) {
    return runGit({ gitDirectory: this.#directory, words, overrun: () => this.#overrun(), ...more }, this.#world);
  }

  #overrun(): string | undefined {
    const packs = join(this.#directory, 'objects', 'pack');
    let total = 0;
    for (const name of existsSync(packs) ? readdirSync(packs) : []) {
      total += statSync(join(packs, name), { throwIfNoEntry: false })?.size ?? 0;
    }
    return total > MOST_FETCHED ? 'it sends more than 2 GB' : undefined;
  }
}

export const SUBMODULE = '160000';
const DEVICE = '060000';
const KNOWN_MODES: ReadonlySet<string> = new Set([
  '40000',
  '040000',
  '100644',
  '100755',
  '100664',
  '120000',
  SUBMODULE,
]);

/** `mode SP name NUL id`, in bytes. */
function* rowsOf(tree: Buffer, idLength: number): Generator<{ readonly mode: string; readonly id: string }> {
  for (let at = 0; at < tree.length; ) {
    const [space, nul] = [tree.indexOf(32, at), tree.indexOf(0, at)];
    if (space < 0 || nul < 0) return;
    yield { mode: tree.toString('latin1', at, space), id: tree.toString('hex', nul + 1, nul + 1 + idLength) };
    at = nul + 1 + idLength;
  }
}

const gone = (commit: string): string => `the commit ${commit.slice(0, 7)} is gone from it`;

const placeText = (paths: readonly string[]): string => (paths.length === 0 ? 'it' : paths.join(', '));

/** As git looks a short name up: tags before branches. */
const namesOf = (ref: string): readonly string[] =>
  ref.startsWith('refs/') ? [ref] : [`refs/tags/${ref}`, `refs/heads/${ref}`];

/** `mode SP type SP id TAB path NUL`, in bytes: a path may be no UTF-8. */
function parseTree(output: Buffer): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    const tab = output.indexOf(9, start);
    const [mode = '', , id = ''] = output.toString('latin1', start, tab).split(' ');
    const bytes = output.subarray(tab + 1, end);
    const path = bytes.toString('utf8');
    entries.push({ path, isUtf8: Buffer.from(path).equals(bytes), mode, id, size: 0 });
    start = end + 1;
  }
  return entries;
}

/** The variable that we set would win over it: a key that only this setting names would be lost (S5). */
async function hasOwnSsh({ url, isLocal }: GitPlace, world: GitWorld): Promise<boolean> {
  if (isLocal || /^https?:/i.test(url)) return false;
  return (await runGit({ words: ['config', '--get', 'core.sshCommand'] }, world)).ok;
}

/** Of a directory on this machine: what of its own would make git look or run elsewhere. */
async function findDirectoryFault(directory: string, world: GitWorld): Promise<string | undefined> {
  const gitDirectory = findGitDirectory(directory);
  if (gitDirectory === undefined) {
    return existsSync(directory) ? 'there is no git repository in this directory' : 'there is no such directory';
  }
  if (existsSync(join(gitDirectory, 'objects', 'info', 'alternates')))
    return 'the repository borrows objects from another one (objects/info/alternates); use that one, or repack it';
  const config = join(gitDirectory, 'config');
  const isFile = statSync(config, { throwIfNoEntry: false })?.isFile() ?? true;
  if (!isFile) return 'the settings of its repository (config) are no file';
  const asked = await runGit(
    {
      words: [
        'config',
        '--file',
        config,
        '--includes',
        '--get-regexp',
        '^(extensions\\.partialclone|remote\\..*\\.promisor)$',
      ],
    },
    world,
  );
  if (!asked.ok && asked.failure.kind === 'no-git') return asked.failure.reason;
  return asked.ok ? 'the repository is a partial clone of another one; use that one' : undefined;
}

/** Of a repository, a work tree of one, or a bare one. */
function findGitDirectory(directory: string): string | undefined {
  const inside = join(directory, '.git');
  const stats = statSync(inside, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return inside;
  if (stats?.isFile()) return linkedGitDirectory(directory, inside);
  const isBare = existsSync(join(directory, 'HEAD')) && existsSync(join(directory, 'objects'));
  return isBare ? directory : undefined;
}

function linkedGitDirectory(directory: string, file: string): string | undefined {
  const target = /^gitdir: (.+)$/m.exec(readSmall(file))?.[1];
  if (target === undefined) return undefined;
  const own = resolve(directory, target);
  const noted = statSync(join(own, 'commondir'), { throwIfNoEntry: false });
  // Git would wait for what is no file, a pipe for example.
  if (noted !== undefined && !noted.isFile()) return undefined;
  const common = readSmall(join(own, 'commondir')).trim();
  return common === '' ? own : resolve(own, common);
}

const usesSha256 = (directory: string): boolean => {
  const gitDirectory = findGitDirectory(directory);
  return (
    gitDirectory !== undefined && /^\s*objectformat\s*=\s*sha256\s*$/im.test(readSmall(join(gitDirectory, 'config')))
  );
};

/** A pipe is never opened: whoever reads it waits for ever. */
function readSmall(path: string): string {
  try {
    const stats = statSync(path);
    return !stats.isFile() || stats.size > 65_536 ? '' : readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return '';
  }
}
