// What a durable run may ask the person at its client, and what they reply.
import type { JsonRecord } from '../check/json-schema.ts';
import type { SkillSchema } from '../check/schema-form.ts';

/**
 * What a durable run asks the person at its client. Never ask for secrets: clients show what is typed.
 *
 * @example
 * const question: Question = { message: 'Delete the file?', schema: z.object({ confirm: z.boolean() }) };
 */
export interface Question {
  readonly message: string;
  /** A flat object, as forms have it: texts, numbers, truth values and choices. */
  readonly schema: SkillSchema;
}

/**
 * What a person replied. `content` fits the schema of the question.
 *
 * @example
 * const isConfirmed = (reply: Reply | undefined) => reply?.action === 'accept' && reply.content.confirm === true;
 */
export type Reply =
  | { readonly action: 'accept'; readonly content: JsonRecord }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/**
 * Asks the person at the client, all questions at once, and waits until each has a reply. The name of a question is its own in
 * the whole run: asked again under the same name, also after the death of the process, it has the reply that it had.
 *
 * @example
 * const isAllowed = async (file: string, ask: AskPerson) => {
 *   const replies = await ask({ confirm: { message: `Delete ${file}?`, schema: z.object({ confirm: z.boolean() }) } });
 *   return replies.confirm?.action === 'accept' && replies.confirm.content.confirm === true;
 * };
 */
export type AskPerson = (questions: Readonly<Record<string, Question>>) => Promise<Readonly<Record<string, Reply>>>;

/** A question as it is kept: its schema as JSON. */
export interface KeptQuestion {
  readonly message: string;
  readonly schema: JsonRecord;
}
