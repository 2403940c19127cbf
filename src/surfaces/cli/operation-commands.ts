// Operations as commands: their fields as operands and options, what they answer as a text or with --json.
// Loaded when a name is asked for that the table of commands does not have.
import { LOCAL_OPERATOR } from '../../identity/caller.ts';
import { type DocumentPorts, documentOperations } from '../../operations/documents.ts';
import { ask, type CliFace, type Operation, refusalText } from '../../operations/operation.ts';
import { fromWord } from '../../operations/shape.ts';
import { createRepertoire } from '../../repertoire/repertoire.ts';
import type { JsonObject } from '../../values/json-object.ts';
import type { Command, CommandContext, ExitCode } from './command.ts';
import { openCatalogOnce } from './open-catalog-once.ts';
import { catalogOptions, type OptionName, optionNames, optionSpec } from './options.ts';
import { exitSaying } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';

type WithCommand = Operation<DocumentPorts> & { readonly cli: CliFace<unknown> };

const hasCommand = (operation: Operation<DocumentPorts>): operation is WithCommand => operation.cli !== undefined;

export const operationCommands: readonly (readonly [string, Command])[] = documentOperations
  .filter(hasCommand)
  .map((operation) => [operation.cli.command, commandOf(operation)]);

export function commandOf(operation: WithCommand): Command {
  const { operands = [], example } = operation.cli;
  return {
    summary: `${operation.summary}.`,
    operands: operands.map((field) => (operation.input[field]?.absent ? `[${field}]` : field).toUpperCase()),
    options: [...catalogOptions, ...optionsOf(operation), 'json'],
    example,
    load: async () => ({ run: (context) => run(operation, context) }),
  };
}

/** Fields that are no operands; each needs an option of its name, with a value. */
function optionsOf({ id, input, cli: { operands = [] } }: WithCommand): readonly OptionName[] {
  return Object.keys(input)
    .filter((field) => !operands.includes(field))
    .map((field) => {
      const option = optionNames.find(
        (name) => name === field.replaceAll('_', '-') && optionSpec(name).value !== undefined,
      );
      if (option === undefined) throw new Error(`The field ${field} of ${id} has no option of its name in options.ts`);
      return option;
    });
}

async function run(operation: WithCommand, context: CommandContext): Promise<ExitCode> {
  const { flags, output } = context;
  const catalog = await openCatalogOnce(context);
  try {
    const ports = { repertoire: createRepertoire(catalog) };
    const answer = await ask(operation, inputOf(operation, context), { caller: LOCAL_OPERATOR, remote: false }, ports);
    if (!answer.ok)
      return exitSaying(context, refusalText(answer.failure), answer.failure.code === 'VALIDATION_ERROR' ? 2 : 1);
    output.write(
      flags.has('json') ? toJsonText(operation.project(answer.value)) : `${operation.cli.text(answer.value)}\n`,
    );
    return 0;
  } finally {
    catalog.close();
  }
}

function inputOf(operation: WithCommand, { operands, values }: CommandContext): JsonObject {
  const { operands: named = [] } = operation.cli;
  const words = [
    ...named.map((field, at) => [field, operands[at]] as const),
    ...optionsOf(operation).map((name) => [name.replaceAll('-', '_'), values.get(name)?.[0]] as const),
  ];
  return Object.fromEntries(
    words.flatMap(([field, word]) =>
      word === undefined ? [] : [[field, fromWord(word, operation.input[field])] as const],
    ),
  );
}
