// Changes one skill of the library at random, on whichever replica, and keeps what it did and what came of it (L1–L3).
import type { Random } from '../../bench/random.ts';
import { askModern } from '../support/http-mcp-client.ts';
import type { ServeProcess } from '../support/serve-process.ts';

/** What one step leaves in the trail. Not sure: the server died before it answered. */
export interface Expected {
  readonly actions: readonly string[];
  readonly digest: string | null;
  readonly isSure: boolean;
}

export interface LibraryWriter {
  readonly name: string;
  readonly expected: readonly Expected[];
  step(): Promise<void>;
  markOf(digest: string): string | undefined;
  /** Every version that was answered is there with its bytes. How many there are. */
  expectVersions(): Promise<number>;
}

interface Known {
  readonly digest: string;
  readonly state: string;
  readonly current: boolean;
}

export function createLibraryWriter(
  name: string,
  server: () => ServeProcess,
  random: Random,
  /** Hears why the store was away, where a server said so. */
  onLate: (said: string) => void,
): LibraryWriter {
  const expected: Expected[] = [];
  const marks = new Map<string, string>();
  let [count, versions, isListed]: [number, readonly Known[], boolean] = [0, [], false];

  const filesOf = (mark: string) => [
    { path: 'SKILL.md', text: `---\nname: ${name}\ndescription: About ${name}.\n---\nmark:${mark}\n` },
    { path: 'notes.txt', text: `mark:${mark}\n` },
  ];
  /** The digest of a version is known when it was answered, or looked up by its message. */
  const make = async (isProposal: boolean) => {
    count += 1;
    const mark = `${name}:${count}`;
    const body = { files: filesOf(mark), message: mark };
    const actions = isProposal ? ['skill.version'] : ['skill.version', 'skill.approve'];
    const answer = await (isProposal ? propose(server(), name, body) : send(server(), 'PUT', `/${name}`, body, onLate));
    await take(actions, answer?.version?.digest, mark, answer !== undefined);
    const made = answer?.version;
    if (made === undefined) return;
    marks.set(made.digest, mark);
    learn(made);
  };
  /** No one else changes this skill: what was answered is all there is to know. */
  const learn = ({ digest, state, current }: Known) => {
    isListed = true;
    const others = versions.filter((each) => each.digest !== digest);
    versions = [{ digest, state, current }, ...(current ? others.map(notCurrent) : others)];
  };
  const take = async (actions: readonly string[], digest: string | undefined, mark: string, isSure: boolean) => {
    if (!isSure) await look();
    const found = digest ?? [...marks].find(([, each]) => each === mark)?.[0];
    if (found === undefined) return;
    // It is there, so it happened.
    expected.push({ actions, digest: found, isSure: true });
    if (digest === undefined && isSure) throw new Error('An answer without a digest');
  };
  const decide = async (what: 'approve' | 'reject', { digest }: Known) => {
    const answer = await send(server(), 'POST', `/${name}/versions/${digest}/${what}`, { message: 'as is' }, onLate);
    expected.push({ actions: [`skill.${what}`], digest, isSure: answer !== undefined });
    if (answer === undefined) await look();
    else learn(answer.version);
  };
  const rollBack = async ({ digest }: Known) => {
    const answer = await send(server(), 'POST', `/${name}/rollback`, { to: digest }, onLate);
    expected.push({ actions: ['skill.rollback'], digest, isSure: answer !== undefined });
    if (answer === undefined) await look();
    else learn(answer.version);
  };
  const end = async (isDeletion: boolean) => {
    const digest = versions.find(({ current }) => current)?.digest ?? null;
    const answer = isDeletion
      ? await send(server(), 'DELETE', `/${name}`, undefined, onLate)
      : await send(server(), 'POST', `/${name}/withdraw`, {}, onLate);
    expected.push({
      actions: [isDeletion ? 'skill.delete' : 'skill.withdraw'],
      digest,
      isSure: answer !== undefined,
    });
    if (answer === undefined) return look();
    versions = versions.map(notCurrent);
    isListed = !isDeletion;
  };
  /** After an answer that did not come. The database may end what a dead server has begun. */
  const look = async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const [all, list] = await Promise.all([untilAsked(server, `/${name}/versions`), untilAsked(server, '')]);
    versions = (all?.versions ?? []) as readonly Known[];
    isListed = (list?.skills ?? []).some((skill: { name: string }) => skill.name === name);
    for (const { digest, message } of (all?.versions ?? []) as { digest: string; message: string }[])
      marks.set(digest, message);
  };
  const act = async () => {
    const die = random();
    const waiting = versions.filter(({ state }) => state === 'proposed');
    const earlier = versions.filter(({ state, current }) => state === 'approved' && !current);
    const one = (some: readonly Known[]) => some[Math.floor(random() * some.length)];
    const [wait, back] = [one(waiting), one(earlier)];
    if (die < 0.3 || !isListed) return make(false);
    if (die < 0.5) return make(true);
    if (die < 0.7 && wait) return decide(random() < 0.7 ? 'approve' : 'reject', wait);
    if (die < 0.92 && back) return rollBack(back);
    if (die < 0.97 && versions.some(({ current }) => current)) return end(false);
    if (die >= 0.97) return end(true);
    return make(true);
  };
  return {
    name,
    expected,
    step: act,
    markOf: (digest) => marks.get(digest),
    async expectVersions() {
      await look();
      for (const { digest } of versions) {
        const found = await untilAsked(server, `/${name}/versions/${digest}`);
        const texts = (found?.files ?? []).map(({ text }: { text: string }) => text);
        const wanted = filesOf(marks.get(digest) ?? '').map(({ text }) => text);
        if (JSON.stringify(texts) !== JSON.stringify(wanted)) throw new Error(`${name} ${digest} has lost its files`);
      }
      const kept = new Set(versions.map(({ digest }) => digest));
      const lost = expected.find(({ digest }) => digest !== null && !kept.has(digest));
      if (lost) throw new Error(`${name} ${lost.digest} was answered, and is lost`);
      return versions.length;
    },
  };
}

const notCurrent = (version: Known): Known => ({ ...version, current: false });

// biome-ignore lint/suspicious/noExplicitAny: answers of the program, checked by what is done with them
type Json = any;

/** `undefined`: the server died, or its store was away. Throws when it was refused. */
async function send(
  server: ServeProcess,
  method: string,
  path: string,
  body?: object,
  onLate?: (said: string) => void,
): Promise<Json | undefined> {
  const headers = { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' };
  const given = body === undefined ? {} : { body: JSON.stringify(body) };
  const sent = { method, headers: body === undefined ? { Authorization: headers.Authorization } : headers, ...given };
  try {
    const answer = await fetch(`${server.url}/api/library${path}`, sent);
    const text = await answer.text();
    if (answer.status === 503) {
      if (method !== 'GET') onLate?.(String(JSON.parse(text).failure_message));
      return undefined;
    }
    if (answer.status !== 200 && (answer.status !== 404 || method !== 'GET'))
      throw new Refused(`${method} ${path}: ${answer.status} ${text}`);
    return answer.status === 404 ? {} : JSON.parse(text);
  } catch (error) {
    if (error instanceof Refused) throw error;
    return undefined;
  }
}

class Refused extends Error {}

async function propose(server: ServeProcess, name: string, body: object): Promise<Json | undefined> {
  const headers = { authorization: `Bearer ${server.token}` };
  const call = { name: 'propose_skill', arguments: { name, ...body } };
  const answer = await askModern(new URL(server.mcp_url), 'tools/call', call, { headers }).catch(() => undefined);
  if (answer === undefined) return undefined;
  const found = /\{.*\}/s.exec(answer.text)?.[0];
  return found === undefined ? undefined : JSON.parse(found).result?.structuredContent;
}

async function untilAsked(server: () => ServeProcess, path: string): Promise<Json> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await send(server(), 'GET', path);
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('No replica answers any more');
}
