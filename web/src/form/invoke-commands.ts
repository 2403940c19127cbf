// An invocation as a command line to take along: curl, or this program. No token and no secret is ever in it. Pure.
import type { JsonSchema } from '../../../src/skills/check/json-schema.ts';
import { commandLine } from '../model/command-line.ts';
import type { CommandWords } from '../model/shapes.ts';
import { shellWord } from '../text/shell-word.ts';
import { fieldOf, type Property } from './field-shape.ts';

export interface Invoked {
  readonly name: string;
  /** As it may be shown: see withoutSecrets. */
  readonly input: unknown;
}

interface Server {
  readonly origin: string;
  readonly authentication: 'on' | 'off';
}

/** The token comes from the shell's environment. */
export function curlText({ name, input }: Invoked, { origin, authentication }: Server): string {
  const address = `${origin}/api/typed-skills/${encodeURIComponent(name)}/invoke`;
  return [
    `curl ${shellWord(address)}`,
    ...(authentication === 'on' ? ['-H "Authorization: Bearer $REPERTOIRE_TOKEN"'] : []),
    "-H 'Content-Type: application/json'",
    `--data-raw ${shellWord(JSON.stringify(input))}`,
  ].join(' \\\n  ');
}

/** As it works on the machine of the server. */
export const commandText = ({ name, input }: Invoked, commands: CommandWords): string =>
  commandLine(commands, `invoke ${shellWord(name)} --input ${shellWord(JSON.stringify(input))}`, 'typed');

/** The name of each secret field stands for what was typed there: whoever runs the command puts it in. */
export function withoutSecrets(schema: JsonSchema, input: unknown): unknown {
  return shown({ root: schema, depth: 0 }, schema, input, 'input');
}

interface Way {
  readonly root: JsonSchema;
  readonly depth: number;
}

function shown({ root, depth }: Way, schema: JsonSchema, value: unknown, name: string): unknown {
  const { shape } = fieldOf(root, schema, depth);
  const inner = { root, depth: depth + 1 };
  if (shape.kind === 'secret' && value !== null) return `<${name}>`;
  if (shape.kind === 'list' && Array.isArray(value)) return value.map((item) => shown(inner, shape.item, item, name));
  if (shape.kind !== 'group' || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, own]) => [key, shownField(inner, shape.properties, key, own)]),
  );
}

function shownField(way: Way, properties: readonly Property[], key: string, value: unknown): unknown {
  const property = properties.find(({ name }) => name === key);
  return property === undefined ? value : shown(way, property.schema, value, key);
}
