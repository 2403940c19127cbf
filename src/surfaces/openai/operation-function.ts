// An operation as a function that a model may call, in a schema that strict mode accepts (T11).
import { LOCAL_OPERATOR } from '../../identity/caller.ts';
import type { DocumentPorts } from '../../operations/documents.ts';
import { ask, type OpenAiFace, type Operation, refusalText, whenAnswered } from '../../operations/operation.ts';
import type { Shape } from '../../operations/shape.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { fail, ok } from '../../values/result.ts';
import { type FunctionTool, strictDefinition } from './function-tool.ts';
import { strictFaults } from './strict-mode.ts';

type WithFunction = Operation<DocumentPorts> & { readonly openai: OpenAiFace };

export const hasFunction = (operation: Operation<DocumentPorts>): operation is WithFunction =>
  operation.openai !== undefined;

export function operationFunction(operation: WithFunction, { repertoire }: DocumentPorts): FunctionTool {
  const { id, openai, input: fields, project } = operation;
  const properties = Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, strictSchema(shape)]));
  const definition = strictDefinition(id, openai.description, properties);
  const faults = strictFaults(definition.function.parameters);
  if (faults.length > 0)
    throw new Error(`The operation ${id} cannot be a function in strict mode: ${faults.join('; ')}`);
  return {
    definition,
    example: `{ ${Object.entries(fields).map(exampleOf).join(', ')} }`,
    // Its shapes look, and tell everything that is wrong.
    fields: undefined,
    call: (input, { caller = LOCAL_OPERATOR, remote = false }) =>
      whenAnswered(
        ask(operation, withoutNulls(input), { caller, remote }, { repertoire: repertoire.for(caller) }),
        (answer) => (answer.ok ? ok({ ...project(answer.value) }) : fail(refusalText(answer.failure))),
      ),
  };
}

const exampleOf = ([name, { absent, schema }]: readonly [string, Shape]): string =>
  `"${name}": ${absent !== undefined ? 'null' : schema.type === 'string' ? '"…"' : '…'}`;

/** What strict mode refuses in a schema; the range is told in words. */
const TOLD_OTHERWISE = ['description', 'default', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'format'];

/** Every property is required, so what may be left out is nullable. */
function strictSchema(shape: Shape): JsonObject {
  const { description = '', minimum, maximum } = shape.schema;
  const { schema } = shape.absent === undefined ? shape : shape.nullable();
  const range = minimum === undefined || maximum === undefined ? '' : `, ${minimum} to ${maximum}`;
  const plain = Object.entries(schema).filter(([key]) => !TOLD_OTHERWISE.includes(key));
  return { ...Object.fromEntries(plain), description: `${description}${range}${absenceText(shape)}` };
}

function absenceText({ absent }: Shape): string {
  if (absent === undefined) return '';
  return absent.usual === undefined ? '; null when there is none' : `; null for ${absent.usual}`;
}

/** The schema offers null for what may be left out. */
const withoutNulls = (input: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
