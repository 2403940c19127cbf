// An input to try a typed skill with: an example of its author's where there is one, else made from the schema so that it fits. Pure.
import { findReferenced, isJsonSchema, type JsonSchema } from '../../../src/skills/check/json-schema.ts';
import { createValidator } from '../../../src/skills/check/json-validator.ts';
import { valueRulesOf } from '../../../src/skills/check/value-rules.ts';
import { patternSample } from './pattern-sample.ts';

/** With what is required, and with all fields where that alone does not fit or says nothing. */
export function exampleInput(schema: JsonSchema): unknown {
  const check = createValidator(schema, true);
  const short = make({ root: schema, isFull: false, depth: 0 }, schema, 'input');
  const full = make({ root: schema, isFull: true, depth: 0 }, schema, 'input');
  const candidates = [...listed(schema.examples), ...(isEmpty(short) ? [full, short] : [short, full])];
  return candidates.find((value) => value !== undefined && check(value).length === 0) ?? short ?? {};
}

const isEmpty = (value: unknown): boolean => isJsonSchema(value) && Object.keys(value).length === 0;

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

interface Making {
  readonly root: JsonSchema;
  /** Optional fields, too. */
  readonly isFull: boolean;
  readonly depth: number;
}

/** A schema that holds itself has an end where it is not required. */
const MAX_DEPTH = 8;
/** Of characters, entries and fields: nobody reads an example of more. */
const MOST_MADE = 1_000;

/** `undefined`: nothing was found that fits. */
function make(making: Making, given: JsonSchema, name: string): unknown {
  if (making.depth > MAX_DEPTH) return undefined;
  const schema = flattened(making.root, given);
  const offered = [...listed(given.examples), ...listed(schema.examples), ...stated(schema)];
  const own = offered.find((value) => fits(schema, value));
  if (own !== undefined) return own;
  for (const variant of listed(schema.anyOf ?? schema.oneOf)) {
    if (!isJsonSchema(variant) || variant.type === 'null') continue;
    const { anyOf: _anyOf, oneOf: _oneOf, ...around } = schema;
    const value = make(deeper(making), { ...around, ...flattened(making.root, variant) }, name);
    if (value !== undefined) return value;
  }
  return MAKERS[typeOf(schema)]?.(making, schema, name);
}

const deeper = (making: Making): Making => ({ ...making, depth: making.depth + 1 });

/** Values that the schema itself names. */
const stated = (schema: JsonSchema): readonly unknown[] => [
  ...('const' in schema ? [schema.const] : []),
  ...('default' in schema ? [schema.default] : []),
  ...listed(schema.enum),
];

const fits = (schema: JsonSchema, value: unknown): boolean =>
  valueRulesOf(schema, true).every((rule) => rule.fits(value));

/** References followed, and the parts of `allOf` as one. */
function flattened(root: JsonSchema, given: JsonSchema): JsonSchema {
  const schema = findReferenced(root, given) ?? given;
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...around } = schema;
  const parts = [around, ...allOf.filter(isJsonSchema).map((part) => findReferenced(root, part) ?? part)];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => listed(required)),
  };
}

const fieldsOf = (value: unknown): JsonSchema => (isJsonSchema(value) ? value : {});

function typeOf(schema: JsonSchema): string {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const named = types.find((type) => typeof type === 'string' && type !== 'null');
  if (typeof named === 'string') return named;
  if (schema.properties !== undefined) return 'object';
  return schema.items === undefined ? 'string' : 'array';
}

type Maker = (making: Making, schema: JsonSchema, name: string) => unknown;

const MAKERS: Readonly<Record<string, Maker>> = {
  string: (_making, schema, name) => texts(schema, name).find((text) => fits(schema, text)),
  number: (_making, schema) => numbers(schema).find((value) => fits(schema, value)),
  integer: (_making, schema) =>
    numbers(schema)
      .flatMap((value) => [value, Math.ceil(value), Math.floor(value)])
      .find((value) => fits(schema, value)),
  boolean: (_making, schema) => [false, true].find((value) => fits(schema, value)),
  object: makeObject,
  array: makeList,
};

function makeObject(making: Making, schema: JsonSchema): unknown {
  const required = listed(schema.required);
  const made: Record<string, unknown> = {};
  const put = (name: string, value: unknown) =>
    value !== undefined && Object.defineProperty(made, name, { value, enumerable: true, configurable: true });
  for (const [name, inner] of Object.entries(fieldsOf(schema.properties))) {
    const isWanted = required.includes(name) || making.isFull || listed(fieldsOf(inner).examples).length > 0;
    if (isWanted) put(name, make(deeper(making), fieldsOf(inner), name));
  }
  const least = Math.max(
    leastOf(schema.minProperties),
    making.isFull && isJsonSchema(schema.additionalProperties) ? 1 : 0,
  );
  for (let turn = 1; Object.keys(made).length < least && turn <= least; turn++) {
    const name = isJsonSchema(schema.propertyNames)
      ? make(deeper(making), schema.propertyNames, `name ${turn}`)
      : `name${turn}`;
    if (typeof name === 'string') put(name, make(deeper(making), fieldsOf(schema.additionalProperties), name) ?? turn);
  }
  return required.every((name) => Object.hasOwn(made, String(name))) ? made : undefined;
}

/** One entry where one may be; each of its own where they must differ. */
function makeList(making: Making, schema: JsonSchema, name: string): unknown {
  const first = listed(schema.prefixItems).map((item) => make(deeper(making), fieldsOf(item), name));
  const least = leastOf(schema.minItems);
  const count = Math.min(Number(schema.maxItems ?? Number.POSITIVE_INFINITY), Math.max(least, first.length, 1));
  const items = fieldsOf(schema.items);
  const further = Array.from({ length: Math.max(0, count - first.length) }, (_, turn) =>
    makeEntry(making, items, name, turn),
  );
  const all = [...first, ...further].filter((value) => value !== undefined);
  if (all.length >= least && fits(schema, all)) return all;
  return least === 0 ? [] : undefined;
}

function makeEntry(making: Making, items: JsonSchema, name: string, turn: number): unknown {
  const value = make(deeper(making), items, turn === 0 ? name : `${name} ${turn + 1}`);
  const choices = listed(items.enum);
  if (choices.length > 0) return choices[turn % choices.length];
  return typeof value === 'number' && fits(items, value + turn) ? value + turn : value;
}

const leastOf = (limit: unknown): number => Math.min(MOST_MADE, Number(limit ?? 0));

/** By `format`, as the server checks it. */
const FORMATTED: Readonly<Record<string, string>> = {
  'date-time': '2030-01-31T12:00:00Z',
  date: '2030-01-31',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'ada@example.org',
  uuid: '550e8400-e29b-41d4-a716-446655440000',
  uri: 'https://example.org/',
  hostname: 'example.org',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  base64: 'ZXhhbXBsZQ==',
};

const PAD = ' and so on';

/** Likely ones first. */
function texts({ format, pattern, minLength, maxLength }: JsonSchema, name: string): readonly string[] {
  const formatted = typeof format === 'string' ? FORMATTED[format] : undefined;
  const least = leastOf(minLength);
  const words = `Example ${name.replaceAll(/[_-]+/g, ' ')}`;
  const plain = [words, 'example', 'a'].map((text) =>
    text.length < least ? text + PAD.repeat(Math.ceil(least / PAD.length)) : text,
  );
  const most = Number(maxLength ?? Number.POSITIVE_INFINITY);
  const sampled =
    typeof pattern === 'string' ? [0, 1, 3, 8, least].map((repeats) => patternSample(pattern, repeats) ?? '') : [];
  return [
    ...(formatted === undefined ? [] : [formatted]),
    ...sampled,
    ...plain.flatMap((text) => [text, text.slice(0, Math.max(least, Math.min(most, text.length)))]),
    '',
  ];
}

function numbers({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: JsonSchema): readonly number[] {
  const [least, most] = [minimum ?? exclusiveMinimum, maximum ?? exclusiveMaximum].map(asNumber);
  const ends = [least, most].filter((end) => end !== undefined);
  const middle = least !== undefined && most !== undefined ? [(least + most) / 2] : [];
  const near = [1, 0, ...ends, ...ends.flatMap((end) => [end + 1, end - 1, end + 0.5, end - 0.5]), ...middle];
  const step = asNumber(multipleOf);
  if (step === undefined) return near;
  return [...near, step, ...near.flatMap((value) => [Math.ceil(value / step) * step, Math.floor(value / step) * step])];
}

const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
