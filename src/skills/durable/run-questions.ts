// Questions of runs to the people at their clients: kept sealed beside the steps of the run, replied to on any process.
import { isRecord } from '../../values/is-record.ts';
import type { JsonRecord } from '../check/json-schema.ts';
import { createSchemaForm } from '../check/schema-form.ts';
import type { KeptQuestion, Question, Reply } from '../define/question.ts';
import type { RunStore } from './run-store.ts';
import { nextNews } from './run-waits.ts';
import type { SealedJson } from './sealed-json.ts';

export interface RunQuestions {
  /** Rejects when a question has a fault, or when the run is to end. */
  ask(
    id: string,
    questions: Readonly<Record<string, Question>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, Reply>>>;
  /** Those that wait for a reply, by name. */
  open(id: string): Promise<ReadonlyMap<string, KeptQuestion>>;
  /** What is no reply to an open question is ignored: it stays open. */
  reply(id: string, replies: ReadonlyMap<string, unknown>): Promise<void>;
}

export interface RunQuestionsParts {
  readonly store: Pick<RunStore, 'steps' | 'keepStep' | 'keepReply'>;
  readonly sealed: SealedJson;
  /** Tells those that wait for news of the run. */
  readonly changed: (id: string) => void;
  readonly subscribe: (listener: (id: string) => void) => () => void;
}

export function createRunQuestions({ store, sealed, changed, subscribe }: RunQuestionsParts): RunQuestions {
  const read = async (id: string) => {
    const [asked, replied] = [new Map<string, KeptQuestion>(), new Map<string, Reply>()];
    for (const [step, text] of await store.steps(id)) {
      const [, name = '', kind] = /^(.*) (asked|replied)$/s.exec(step) ?? [];
      // Both were sealed below.
      if (kind === 'asked') asked.set(name, (await sealed.unseal(text, `${id} ${step}`)) as KeptQuestion);
      if (kind === 'replied') replied.set(name, (await sealed.unseal(text, `${id} ${step}`)) as Reply);
    }
    return { asked, replied };
  };
  const seal = (id: string, step: string, value: unknown) => sealed.seal(value, `${id} ${step}`);
  const open = async (id: string) => {
    const { asked, replied } = await read(id);
    return new Map([...asked].filter(([name]) => !replied.has(name)));
  };
  return {
    open,
    ask: async (id, questions, signal) => {
      const kept = Object.entries(questions).map(([name, question]) => [name, keepable(name, question)] as const);
      const known = await read(id);
      const fresh = kept.filter(([name]) => !known.asked.has(name));
      for (const [name, question] of fresh) {
        await store.keepStep(id, `${name} asked`, await seal(id, `${name} asked`, question));
      }
      if (fresh.length > 0) changed(id);
      for (;;) {
        const news = nextNews(id, subscribe, signal);
        const { replied } = await read(id);
        signal.throwIfAborted();
        const replies = kept.flatMap(([name]) => {
          const reply = replied.get(name);
          return reply === undefined ? [] : [[name, reply] as const];
        });
        if (replies.length === kept.length) return Object.fromEntries(replies);
        await news;
      }
    },
    reply: async (id, replies) => {
      const questions = await open(id);
      for (const [name, question] of questions) {
        const reply = parseReply(replies.get(name), question);
        if (reply === undefined) continue;
        await store.keepReply(id, `${name} replied`, await seal(id, `${name} replied`, reply));
      }
      changed(id);
    },
  };
}

function keepable(name: string, { message, schema }: Question): KeptQuestion {
  const form = createSchemaForm(schema, 'input');
  if (!form.ok) throw new Error(`Cannot ask "${name}": its schema ${form.failure}`);
  return { message: String(message), schema: form.value.json as unknown as JsonRecord };
}

/** Fields that were not asked for are left out; content that does not fit is no reply. */
function parseReply(value: unknown, { schema }: KeptQuestion): Reply | undefined {
  if (!isRecord(value)) return undefined;
  const { action, content = {} } = value;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept' || !isRecord(content)) return undefined;
  const fields = isRecord(schema.properties) ? schema.properties : {};
  const asked = Object.fromEntries(Object.entries(content).filter(([field]) => Object.hasOwn(fields, field)));
  const form = createSchemaForm(schema, 'input');
  const checked = form.ok ? form.value.check(asked) : form;
  return checked.ok ? { action, content: checked.value } : undefined;
}
