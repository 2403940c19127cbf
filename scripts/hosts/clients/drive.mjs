// What all drivers of client libraries share: the task as they get it, one call per step, the answers as they leave.
// Runs beside the library's packages, with Node alone.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/** `{ server: { command, args } | { url, token }, steps: [{ tool, input }], modelUrl, request, log }`; `log` is a command. */
const task = JSON.parse(readFileSync(0, 'utf8'));

export const { server, steps, modelUrl, request } = task;
export const headers = 'url' in server ? { Authorization: `Bearer ${server.token}` } : {};

/**
 * `names` are the tools that the library shows; `call(name, input)` uses one as a program of that library would.
 * Libraries put the name of the server before that of a tool.
 */
export async function callEach(names, call) {
  const results = [];
  for (const { tool, input } of steps) {
    const name = names.find((each) => each === tool || new RegExp(`repertoire[^a-z]*${tool}$`).test(each));
    if (name !== undefined) results.push(await call(name, input));
  }
  await report(names, results);
}

/** Where a model called them, it knows what came back. Call it before the client is closed. */
export async function report(names, results = []) {
  await waitForLog();
  process.stdout.write(`\n${JSON.stringify({ names, results: results.map(asText) })}\n`);
}

/** Some libraries kill the server when they are closed: what it was asked has to be in its log by then. */
async function waitForLog() {
  const [program, ...words] = task.log;
  for (let looks = 0; looks < 20; looks += 1) {
    const printed = await promisify(execFile)(program, words).catch(() => ({ stdout: '' }));
    if (['"skill"', '"get_skill"'].every((surface) => printed.stdout.includes(surface))) return;
    await wait(200);
  }
}

const asText = (result) => (typeof result === 'string' ? result : JSON.stringify(result));
