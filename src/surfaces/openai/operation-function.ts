// An operation as a function that a model may call, in a schema that strict mode accepts (T11).
import { LOCAL_OPERATOR } from '../../identity/caller.ts';
import type { DocumentPorts } from '../../operations/documents.ts';
import { ask, type OpenAiFace, type Operation, refusalText, whenAnswered } from '../../operations/operation.ts';
import type { Shape } from '../../operations/shape.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { fail, ok } from '../../values/result.ts';
import { type FunctionTool, strictDefinition } from './function-tool.ts';

type WithFunction = Operation<DocumentPorts> & { readonly openai: OpenAiFace };

export const hasFunction = (operation: Operation<DocumentPorts>): operation is WithFunction =>
  operation.openai !== undefined;

export function operationFunction(operation: WithFunction, ports: DocumentPorts): FunctionTool {
  const { id, openai, input: fields, project } = operation;
  const properties = Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, strictSchema(shape)]));
  const names = Object.keys(fields);
  return {
    definition: strictDefinition(id, openai.description, properties),
    example: `{ ${names.map((name) => `"${name}": ${fields[name]?.left ? 'null' : '"…"'}`).join(', ')} }`,
    fields: names,
    call: (input, { caller = LOCAL_OPERATOR, remote = false }) =>
      whenAnswered(ask(operation, withoutNulls(input), { caller, remote }, ports), (answer) =>
        answer.ok ? ok(project(answer.value) as JsonObject) : fail(refusalText(answer.failure)),
      ),
  };
}

/** Without ranges, which strict mode refuses; every property is required, so what may be left out is nullable. */
function strictSchema({ schema, left }: Shape): JsonObject {
  const { type, description, minimum, maximum } = schema;
  const range = minimum === undefined || maximum === undefined ? '' : `, ${minimum} to ${maximum}`;
  if (left === undefined) return { type, description: `${description}${range}` };
  const absent = left.usual === undefined ? '; null when there is none' : `; null for ${left.usual}`;
  return { type: [type, 'null'], description: `${description}${range}${absent}` };
}

/** The schema offers null for what may be left out. */
const withoutNulls = (input: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
