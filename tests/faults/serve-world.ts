// Replicas of `repertoire serve` as faults need them: one operator's token, a document, typed skills that answer or take their time.
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type HttpAnswer, type ServeProcess, startServeProcess } from '../support/serve-process.ts';

export interface ServeWorld {
  /** With the folder's document and skills, and whatever `options` say. */
  start(place: StorePlace, options?: readonly string[]): Promise<ServeProcess>;
}

/** Of the document that every replica serves. */
export const DOCUMENT_PATH = '/api/documents/fault-guide';

const TOKEN = `rpo_${'replicas'.repeat(5)}`;

const library = fileURLToPath(new URL('../../dist/lib/skills.js', import.meta.url));

const CONFIG = `
import { defineSkill } from ${JSON.stringify(library)};

const common = { description: 'For a test.', category: 'execution' };
const fields = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export default {
  skills: [
    defineSkill({ ...common, name: 'echo', input: fields({ text: { type: 'string' } }),
      output: fields({ text: { type: 'string' } }), run: async ({ text }) => ({ text }) }),
    defineSkill({ ...common, name: 'nap', input: fields({ ms: { type: 'integer' } }),
      output: fields({ ms: { type: 'integer' } }), run: async ({ ms }) => { await sleep(ms); return { ms }; } }),
    defineSkill({ ...common, name: 'kept', durable: {}, input: fields({ text: { type: 'string' } }),
      output: fields({ text: { type: 'string' } }), run: async ({ text }) => ({ text }) }),
  ],
};
`;

const DOCUMENT = `---
name: fault-guide
description: What to read while everything else is away. Use it in fault tests.
---
${'# Steps\n\nGo on.\n\n'.repeat(2_000)}`;

/** `folder` is empty; the caller deletes it. */
export function createServeWorld(folder: string): ServeWorld {
  const skills = join(folder, 'skills');
  mkdirSync(join(skills, 'fault-guide'), { recursive: true });
  writeFileSync(join(skills, 'fault-guide/SKILL.md'), DOCUMENT);
  const config = join(folder, 'faults.config.mjs');
  writeFileSync(config, CONFIG);
  const environment = { PATH: process.env.PATH, HOME: folder, REPERTOIRE_OPERATOR_TOKEN: TOKEN };
  return {
    start: (place, options = []) =>
      startServeProcess(['--root', skills, '--config', config, ...placeOptions(place), ...options], environment),
  };
}

const placeOptions = (place: StorePlace): readonly string[] =>
  place.kind === 'postgres' ? ['--database-url', place.url] : ['--data', place.dataDirectory];

export const invoke = (
  { ask }: Pick<ServeProcess, 'ask'>,
  skill: string,
  input: object,
  correlationId: string = randomUUID(),
): Promise<HttpAnswer> =>
  ask(`/api/typed-skills/${skill}/invoke`, {
    body: JSON.stringify(input),
    headers: { 'X-Correlation-Id': correlationId },
  });

/** What a skill that succeeded gave. */
export async function outputOf(answering: Promise<HttpAnswer>): Promise<Record<string, unknown>> {
  const { status, text } = await answering;
  if (status !== 200) throw new Error(`answered ${status}: ${text.slice(0, 300)}`);
  return JSON.parse(text).output_payload;
}

/** Milliseconds until it holds, for those who promise something on them. Throws when it seems that it never will. */
export async function untilHolds(what: string, look: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  while (!(await look())) {
    if (performance.now() - started > PATIENCE_MS) throw new Error(`still not so: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return performance.now() - started;
}
