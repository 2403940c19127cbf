// The first words of an MCP client, over any line: introduces itself, asks for the tools. By the rules of 2025-11-25, which
// every server that hosts reach today understands.
import { scrubShapes } from '../../text/credentials.ts';
import { toOneLine } from '../../text/one-line.ts';
import { isRecord } from '../../values/is-record.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { Attempt, Met, Obstacle } from './attempt.ts';

/** A way to a server: a pipe, or requests over HTTP. */
export interface ServerLine {
  /** The result, or what stood in the way. */
  request(method: string, params: object): Promise<Result<unknown, Obstacle>>;
  notify(method: string): Promise<void>;
}

export const PROTOCOL_VERSION = '2025-11-25';

/** Servers list these in pages; one that never ends is not followed. */
const MOST_PAGES = 50;

export async function meetServer(line: ServerLine, version: string): Promise<Attempt> {
  const hello = await line.request('initialize', {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'repertoire-connect', version },
  });
  if (!hello.ok) return hello;
  if (!isRecord(hello.value) || typeof hello.value.protocolVersion !== 'string') return fail(notMcp());
  await line.notify('notifications/initialized');
  const tools = await listTools(line);
  if (!tools.ok) return tools;
  return asOurs({ ...introductionOf(hello.value.serverInfo), tools: tools.value, caller: undefined });
}

const introductionOf = (info: unknown): Pick<Met, 'name' | 'version'> => ({
  name: isRecord(info) && typeof info.name === 'string' ? toOneLine(info.name, 80) : undefined,
  version: isRecord(info) && typeof info.version === 'string' ? toOneLine(info.version, 40) : undefined,
});

async function listTools(line: ServerLine): Promise<Result<readonly string[], Obstacle>> {
  const names: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const listed = await line.request('tools/list', cursor === undefined ? {} : { cursor });
    if (!listed.ok) return listed;
    if (!isRecord(listed.value) || !Array.isArray(listed.value.tools)) return fail(notMcp());
    for (const tool of listed.value.tools) if (isRecord(tool) && typeof tool.name === 'string') names.push(tool.name);
    if (typeof listed.value.nextCursor !== 'string') break;
    cursor = listed.value.nextCursor;
  }
  return ok(names);
}

/** A server of another program may have our tools, too (`registerSkills`). */
function asOurs(met: Met): Attempt {
  if (met.name === 'repertoire' || met.tools.some((name) => OUR_TOOLS.has(name))) return ok(met);
  const called = met.name === undefined ? 'it has none of our tools' : `it is "${met.name}"`;
  return fail({ cause: 'not-ours', message: `Another MCP server answers: ${called}` });
}

const OUR_TOOLS: ReadonlySet<string> = new Set(['skill', 'list_skills', 'search_skills', 'get_skill']);

export const notMcp = (): Obstacle => ({
  cause: 'not-mcp',
  message: 'Cannot talk to the server: its answers are not MCP',
});

/** The answer with our id among the messages, as a result; `undefined`: it is not among them. */
export function findAnswer(messages: readonly unknown[], id: number): Result<unknown, Obstacle> | undefined {
  const answer = messages.find((each) => isRecord(each) && each.id === id && ('result' in each || 'error' in each));
  if (!isRecord(answer)) return undefined;
  if ('result' in answer) return ok(answer.result);
  return fail({ cause: 'unavailable', message: `The server answers with an error: ${errorText(answer.error)}` });
}

/** Another program's words: on one line, without what looks like a credential. */
export const saidText = (text: string): string => toOneLine(scrubShapes(text), 300);

const errorText = (error: unknown): string =>
  isRecord(error) && typeof error.message === 'string' ? saidText(error.message) : 'no reason is given';
