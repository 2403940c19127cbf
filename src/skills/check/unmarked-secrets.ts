// Fields of a schema that are called like secrets and not marked as such (X1). Their values are kept out of the log all the
// same; a mark also keeps what a skill says of them out of it.
import { isSecretName } from '../../text/secret-names.ts';
import { findReferenced, isJsonSchema, type JsonSchema, pathText } from './json-schema.ts';
import { createSecrecy, type Secrecy } from './secrecy.ts';

/** As paths: `password`, `servers[].apiKey`. */
export function findUnmarkedSecrets(root: JsonSchema): readonly string[] {
  const found = new Set<string>();
  enter(root, createSecrecy(root), '', { root, found, entered: new Set() });
  return [...found];
}

interface Search {
  readonly root: JsonSchema;
  readonly found: Set<string>;
  /** What is referred to from many places is looked at once: a schema may hold itself. */
  readonly entered: Set<JsonSchema>;
}

/** `secrecy`: over all branches that stand at this place. */
function enter(given: unknown, secrecy: Secrecy | undefined, path: string, search: Search): void {
  if (!isJsonSchema(given) || secrecy === undefined || secrecy.secret) return;
  const schema = findReferenced(search.root, given);
  if (schema === undefined || search.entered.has(schema)) return;
  search.entered.add(schema);
  for (const list of [schema.anyOf, schema.oneOf, schema.allOf]) {
    if (Array.isArray(list)) for (const branch of list) enter(branch, secrecy, path, search);
  }
  for (const inner of [schema.items, schema.prefixItems].flat()) enter(inner, secrecy.item(0), `${path}[]`, search);
  const others = isJsonSchema(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
  for (const inner of [schema.additionalProperties, ...others]) {
    enter(inner, secrecy.field(''), fieldPath(path, '*'), search);
  }
  for (const [name, inner] of propertiesOf(schema)) enterField(name, inner, secrecy, path, search);
}

function enterField(name: string, schema: unknown, around: Secrecy, path: string, search: Search): void {
  const secrecy = around.field(name);
  const place = fieldPath(path, name);
  // What is secret in it may be marked: `credentials: { user, password: secret(…) }`.
  const isUnmarked = secrecy?.holdsSecret === false && isSecretName(name) && mayHoldSecret(name, schema, search.root);
  if (isUnmarked) search.found.add(place);
  else enter(schema, secrecy, place, search);
}

const propertiesOf = ({ properties }: JsonSchema): readonly (readonly [string, unknown])[] =>
  isJsonSchema(properties) ? Object.entries(properties) : [];

const fieldPath = (path: string, name: string): string => {
  if (name === '*') return path === '' ? name : `${path}.*`;
  const text = pathText([name]);
  return path === '' || text.startsWith('[') ? `${path}${text}` : `${path}.${text}`;
};

/** Not a truth value, not one of a few words, not how many there are: as isNamedSecret() in redaction.ts has it. */
function mayHoldSecret(name: string, given: unknown, root: JsonSchema): boolean {
  const schema = isJsonSchema(given) ? findReferenced(root, given) : undefined;
  if (schema === undefined || schema.enum !== undefined || schema.const !== undefined) return false;
  const branches = [schema.anyOf, schema.oneOf].filter(Array.isArray).flat();
  if (branches.length > 0) return branches.some((branch) => mayHoldSecret(name, branch, root));
  const harmless = /s$/i.test(name) ? ['boolean', 'null', 'number', 'integer'] : ['boolean', 'null'];
  return schema.type === undefined || [schema.type].flat().some((type) => !harmless.includes(String(type)));
}
