// Asks the language model one question: a time limit over everything, one more try where that may help, and a pause for an
// endpoint that keeps failing (B3, F13). Never rejects.

import { setTimeout as pause } from 'node:timers/promises';
import type { SkillContext } from '../../skills/define/define-skill.ts';
import { createKnownTexts, spellings } from '../../skills/record/secrets.ts';
import { REDACTED } from '../../text/credentials.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { type AiEndpoint, type ChatFault, type ChatMessage, postChat } from './chat-client.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

interface Question<T> {
  readonly messages: readonly ChatMessage[];
  /** What the answer means; `undefined`: it is nonsense. */
  readonly parse: (answer: string) => T | undefined;
}

export interface AiModel {
  /** Without the key, whatever the endpoint says. The failure is the end of "Cannot use the AI endpoint: …". */
  ask<T>(question: Question<T>, signal: AbortSignal): Promise<Result<T, string>>;
}

export interface AiModelOptions {
  readonly endpoint: AiEndpoint;
  readonly monotonicMs: () => number;
  /** 0 up to 1. */
  readonly random: () => number;
  readonly limitMs?: number;
}

/** Both tries together. The skills that ask have 30 seconds and still want to answer without the model. */
const LIMIT_MS = 12_000;

const BREAKER = { failuresInARow: 5, pauseMs: 30_000 } as const;

export function createAiModel({ endpoint, monotonicMs, random, limitMs = LIMIT_MS }: AiModelOptions): AiModel {
  const breaker = createCircuitBreaker({ ...BREAKER, monotonicMs });
  const withoutKey = createKeyRemoval(endpoint);
  return {
    async ask(question, signal) {
      const attempt = breaker.begin();
      if (attempt === undefined) return fail('it failed several times in a row and is left alone for now');
      const limit = startLimit(limitMs, signal);
      let outcome: 'succeeded' | 'failed' | 'unknown' = 'unknown';
      try {
        const answered = await askTwice(
          () => postChat(endpoint, question.messages, limit.signal),
          random,
          limit.signal,
        );
        const result = withoutKey(meaningOf(question, answered, limit));
        outcome = result.ok ? 'succeeded' : signal.aborted ? 'unknown' : 'failed';
        return result;
      } finally {
        // Also after a throw: an attempt without an end would keep the endpoint closed.
        attempt.end(outcome);
        limit.stop();
      }
    },
  };
}

type PostResult = Result<string, ChatFault>;

async function askTwice(
  post: () => Promise<PostResult>,
  random: () => number,
  signal: AbortSignal,
): Promise<PostResult> {
  const first = await post();
  if (first.ok || !first.failure.mayPass || signal.aborted) return first;
  // Not all at the same moment: others were refused together with us. It rejects when the time is up, which is asked next.
  await pause(200 + 600 * random(), undefined, { signal }).catch(() => undefined);
  return signal.aborted ? first : await post();
}

function meaningOf<T>({ parse }: Question<T>, answered: PostResult, limit: Limit): Result<T, string> {
  if (!answered.ok) return fail(limit.isOver() ? 'it took too long' : answered.failure.reason);
  const meaning = parse(answered.value);
  return meaning === undefined ? fail('its answer is not what was asked for') : ok(meaning);
}

/** An endpoint may say its key again; then neither an answer nor the log repeats it. */
function createKeyRemoval({ key }: AiEndpoint): <T>(result: Result<T, string>) => Result<T, string> {
  const known = createKnownTexts();
  if (key) known.add(spellings(key));
  // After the parse, which may put together what was written in pieces. Texts stay texts: the type is the same.
  return <T>(result: Result<T, string>) =>
    result.ok ? ok(mapTexts(result.value, (text) => known.takeOut(text, REDACTED)) as T) : result;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change)]));
}

interface Limit {
  readonly signal: AbortSignal;
  /** Whether the time was up, rather than the caller gone. */
  isOver(): boolean;
  stop(): void;
}

/** An ordinary timer: that of AbortSignal.timeout() does not keep the process alive. */
function startLimit(limitMs: number, outer: AbortSignal): Limit {
  const controller = new AbortController();
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    controller.abort();
  }, limitMs);
  const giveUp = () => controller.abort();
  if (outer.aborted) giveUp();
  outer.addEventListener('abort', giveUp, { once: true });
  return {
    signal: controller.signal,
    isOver: () => over,
    stop() {
      clearTimeout(timer);
      outer.removeEventListener('abort', giveUp);
    },
  };
}

interface DegradableQuestion<T> extends Question<T> {
  readonly instead: () => T | Promise<T>;
}

interface ModelOrDegraded<T> {
  readonly value: T;
  /** True: the model had no part in it. */
  readonly degraded: boolean;
}

/** Where there is no model, or it is of no use now, what we know without it. */
export async function askOrDegrade<T>(
  model: AiModel | undefined,
  { log, signal }: SkillContext,
  question: DegradableQuestion<T>,
): Promise<ModelOrDegraded<T>> {
  if (model === undefined) return { value: await question.instead(), degraded: true };
  const asked = await model.ask(question, signal);
  if (asked.ok) return { value: asked.value, degraded: false };
  log(`Cannot use the AI endpoint: ${asked.failure}; answering without it`);
  return { value: await question.instead(), degraded: true };
}
