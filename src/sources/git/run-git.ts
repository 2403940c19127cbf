// The git of this machine, run so that nothing of a fetched repository runs with it: no hook, filter, template, monitor or prompt,
// and only the ways of fetching that a source may use (S5). The credentials are those of the user's own git configuration.
import { type ChildProcess, spawn } from 'node:child_process';
import { codeOf } from '../../values/error-code.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { findOwnBytes } from './own-memory.ts';

export interface GitWorld {
  /** As this process was started with. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** `http` only where the source is on this machine. */
  readonly protocols: readonly string[];
  /** Asked when it does nothing for so long. */
  readonly quietMs: number;
  readonly signal?: AbortSignal | undefined;
  /** A line of its progress. */
  readonly onProgress?: ((line: string) => void) | undefined;
  /** In bytes, of git and what it starts; by default 1 GB. */
  readonly mostMemory?: number;
  /** The user's own settings name a program for ssh: that one is used, and not ours. */
  readonly hasOwnSsh?: boolean;
}

export interface GitCall {
  /** Absolute: the bare repository that it works in; absent: in none. */
  readonly gitDirectory?: string;
  /** Everything from outside stands behind a `--`, or was checked before. */
  readonly words: readonly string[];
  readonly input?: string;
  /** Instead of being gathered. Throws to stop it. */
  readonly onOutput?: (piece: Buffer) => void;
  /** Asked now and then: half a sentence of why it must stop. */
  readonly overrun?: () => string | undefined;
}

export interface GitFailure {
  readonly kind: 'no-git' | 'quiet' | 'stopped' | 'overrun' | 'failed';
  /** Half a sentence. */
  readonly reason: string;
}

/** Of git and what it starts: it keeps a list of refs that never ends in its memory. No collection of skills needs as much. */
const MOST_MEMORY = 1024 * 1024 * 1024;
/** What is gathered of the output of one call. */
const MOST_OUTPUT = 64 * 1024 * 1024;
const MOST_ERRORS = 64 * 1024;
const LOOK_MS = 500;

const SETTINGS: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  'core.alternateRefsCommand': 'false',
  'core.askPass': 'false',
  'credential.interactive': 'false',
  'init.templateDir': '',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'fetch.unpackLimit': '1',
  'fetch.writeCommitGraph': 'false',
  'fetch.negotiationAlgorithm': 'noop',
  // Also what a server without git's own protocol says about other places to look at (http-alternates).
  'http.followRedirects': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'protocol.version': '2',
};

const settingWords = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Gathered output. */
export function runGit(call: GitCall, world: GitWorld): Promise<Result<Buffer, GitFailure>> {
  const where = call.gitDirectory === undefined ? [] : [`--git-dir=${call.gitDirectory}`];
  const words = [...settingWords, '--no-pager', '--literal-pathspecs', ...where, ...call.words];
  const child = spawn('git', words, {
    // A session of its own has no terminal to ask at, and is ended as a whole.
    detached: true,
    env: environmentFor(world),
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(call.gitDirectory === undefined ? {} : { cwd: call.gitDirectory }),
  });
  return new GitRun(child, call, world).ended;
}

/** Every variable but git's own: they could name another repository, another program or a trace file. */
export function environmentFor({
  variables,
  protocols,
  hasOwnSsh = false,
}: Pick<GitWorld, 'variables' | 'protocols' | 'hasOwnSsh'>): NodeJS.ProcessEnv {
  const kept = Object.entries(variables).filter(([name]) => !/^(?:GIT_|SSH_ASKPASS)/i.test(name));
  return {
    ...Object.fromEntries(kept),
    GIT_ALLOW_PROTOCOL: protocols.join(':'),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'false',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    ...(!hasOwnSsh && { GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oConnectTimeout=30' }),
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // Messages are told apart by their words.
    LC_ALL: 'C',
    LANGUAGE: '',
  };
}

class GitRun {
  readonly ended: Promise<Result<Buffer, GitFailure>>;
  readonly #child: ChildProcess;
  readonly #call: GitCall;
  readonly #world: GitWorld;
  readonly #output: Buffer[] = [];
  #length = 0;
  #errors = '';
  #heardAt = performance.now();
  #stoppedBy: GitFailure | undefined;
  #fault: unknown;

  constructor(child: ChildProcess, call: GitCall, world: GitWorld) {
    this.#child = child;
    this.#call = call;
    this.#world = world;
    this.ended = new Promise((resolve, reject) => {
      const watch = setInterval(() => this.#look(), LOOK_MS);
      const stop = () => this.#stop({ kind: 'stopped', reason: 'it was stopped' });
      const end = (result: Result<Buffer, GitFailure>) => {
        clearInterval(watch);
        world.signal?.removeEventListener('abort', stop);
        if (this.#fault === undefined) resolve(result);
        else reject(this.#fault);
      };
      world.signal?.addEventListener('abort', stop, { once: true });
      if (world.signal?.aborted) stop();
      child.once('error', (error) => end(fail(this.#stoppedBy ?? startFailure(error))));
      child.once('close', (code, signal) => end(this.#resultOf(code, signal)));
    });
    child.stdout?.on('data', (piece: Buffer) => this.#take(piece));
    child.stderr?.on('data', (piece: Buffer) => this.#hear(piece));
    // It may have ended before it read all of it: then its end says why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(call.input ?? '');
  }

  #take(piece: Buffer): void {
    this.#heardAt = performance.now();
    this.#length += piece.length;
    try {
      if (this.#call.onOutput) this.#call.onOutput(piece);
      else if (this.#length <= MOST_OUTPUT) this.#output.push(piece);
      else this.#stop({ kind: 'overrun', reason: 'git answers more than any collection of skills has' });
    } catch (error) {
      this.#fault ??= error;
      this.#stop({ kind: 'stopped', reason: 'it was stopped' });
    }
  }

  #hear(piece: Buffer): void {
    this.#heardAt = performance.now();
    const text = piece.toString('utf8');
    this.#errors = (this.#errors + text).slice(-MOST_ERRORS);
    const line = text.split(/[\r\n]+/).findLast((each) => each.trim() !== '');
    if (line) this.#world.onProgress?.(line.trim());
  }

  #look(): void {
    const overrun = this.#call.overrun?.();
    if (overrun !== undefined) this.#stop({ kind: 'overrun', reason: overrun });
    const { pid } = this.#child;
    if (pid !== undefined && findOwnBytes(pid) > (this.#world.mostMemory ?? MOST_MEMORY))
      this.#stop({ kind: 'overrun', reason: 'git needs more memory for it than for any collection of skills' });
    const { quietMs } = this.#world;
    if (performance.now() - this.#heardAt > quietMs)
      this.#stop({ kind: 'quiet', reason: `nothing has happened for ${Math.round(quietMs / 1000)} s` });
  }

  #stop(failure: GitFailure): void {
    this.#stoppedBy ??= failure;
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') throw error;
    }
  }

  #resultOf(code: number | null, signal: NodeJS.Signals | null): Result<Buffer, GitFailure> {
    if (this.#stoppedBy !== undefined) return fail(this.#stoppedBy);
    if (code === 0) return ok(Buffer.concat(this.#output));
    return fail({ kind: 'failed', reason: reasonIn(this.#errors) ?? `git ended with ${signal ?? code}` });
  }
}

const startFailure = (error: Error): GitFailure =>
  codeOf(error) === 'ENOENT'
    ? { kind: 'no-git', reason: 'git is not installed on this machine, or not on the PATH; install it' }
    : { kind: 'failed', reason: `git cannot be started (${codeOf(error) ?? error.message})` };

/** What git and ssh say in words that help nobody who did not start them. */
const KNOWN_REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /askpass response|could not read (?:username|password)|terminal prompts disabled|authentication failed/i,
    'there is no such repository, or it wants a credential; let your git configuration give it',
  ],
  [/permission denied \(.*publickey/i, 'ssh has no key that is accepted there; add one to your ssh agent'],
  [/host key verification failed/i, 'ssh does not know the key of its host; connect to it once with ssh'],
  [/returned error: 30[1278]\b/, 'it redirects to another address; use that one'],
];

/** The line in which git says why; progress and advice are left out. */
function reasonIn(errors: string): string | undefined {
  const known = KNOWN_REASONS.find(([words]) => words.test(errors))?.[1];
  if (known !== undefined) return known;
  const lines = errors.split(/[\r\n]+/).map((line) => line.trim());
  const telling = lines.filter((line) => /^(?:fatal|error|remote: error|ERROR):/i.test(line));
  const line = telling[0] ?? lines.findLast((each) => each !== '');
  return line?.replace(/^(?:(?:fatal|error|remote error|remote): ?)+/i, '');
}
