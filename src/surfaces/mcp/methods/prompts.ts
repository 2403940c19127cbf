// One prompt per skill, so that hosts without tools in view still offer `/name` (R1), unless they do by themselves (D10).
import type { Skill } from '../../../catalog/view/skill.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { echoText, listText } from '../../../text/list-text.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok } from '../../../values/result.ts';
import { invalidParams } from '../wire/json-rpc.ts';
import type { LargeResult, Method, MethodResult } from '../wire/method.ts';
import { findPage } from './find-page.ts';
import { answerLarge } from './prepared-results.ts';
import { readerName } from './reader-name.ts';
import { NO_ROOM } from './resources.ts';
import type { View } from './view.ts';

const PAGE_SIZE = 500;

export const listPrompts = (repertoire: Repertoire, view: View): Method => {
  return ({ cursor }, { client }) => {
    const page = findPage(repertoire, view.promptsFor(client), cursor, PAGE_SIZE);
    if (!page.ok) return page;
    const { skills, nextCursor } = page.value;
    return ok({ prompts: skills.map(promptOf), ...(nextCursor && { nextCursor }) });
  };
};

export const getPrompt = (repertoire: Repertoire): Method => {
  return ({ name, arguments: values = {} }, context) => {
    if (typeof name !== 'string') return invalidParams('Invalid params: name must be a string');
    const skill = repertoire.loadByName(name);
    if (skill === undefined) return invalidParams(`Unknown prompt: ${echoText(name, 200)}`);
    if (!isRecord(values)) return invalidParams('Invalid params: arguments must be an object');
    const { request } = values;
    if (request !== undefined && typeof request !== 'string')
      return invalidParams('Invalid params: request must be a string');
    const shape = (text: string): JsonObject => ({
      description: listText(skill.description, 2_000),
      messages: [{ role: 'user', content: { type: 'text', text: request ? `${text}\n\n${request}` : text } }],
    });
    const give = (answer: JsonObject | LargeResult | undefined): MethodResult => {
      if (answer === undefined) return fail(NO_ROOM);
      const [client, { caller }] = [readerName(context), context];
      repertoire.noteLoad({ skillName: skill.name, text: skill.bytes, client, surface: 'prompt', caller });
      return ok(answer);
    };
    return answerLarge(skill.bytes, context.reserve, shape)?.then(give) ?? give(shape(repertoire.textOf(skill)));
  };
};

const promptOf = ({ name, description }: Skill): JsonObject => ({
  name,
  title: listText(name, 300),
  description: listText(description, 2_000),
  arguments: [{ name: 'request', description: 'What to do with the skill', required: false }],
});
