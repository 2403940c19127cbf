// A server's own answers, kept in a file that floors/replay.mjs answers from.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, StdioClient } from './stdio-client.ts';
import type { Workshop } from './workshop.ts';

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

export const readSkillCall = (name: string): ToolCall => ({ name: 'skill', arguments: { name } });

/** Makes every call once; answers the file's path. Throws when a call does not end in a whole skill. */
export async function recordCalls(
  workshop: Workshop,
  client: StdioClient,
  calls: readonly ToolCall[],
): Promise<string> {
  const results: Record<string, string> = {};
  for (const call of calls) {
    const answer = await client.request('tools/call', call);
    if (!isSuccess(answer)) throw new Error(`the server could not read the skill ${call.arguments.name}`);
    results[`tools/call ${JSON.stringify(call)}`] = JSON.stringify(answer.result);
  }
  const path = join(workshop.createBox().path, 'recorded.json');
  writeFileSync(path, JSON.stringify(results));
  return path;
}

export const isSuccess = ({ result }: Answer): boolean => result !== undefined && result.isError !== true;
