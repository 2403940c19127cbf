// Inputs and outputs of many tiny values: few bytes, and yet the whole server would wait while they are copied and checked.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openRuntime } from '../fixtures/open-runtime.ts';

const MOST = 50_000;

/** So many values in all, with the object around them, its field and its list. */
const listOf = (count: number, item: unknown) => ({ items: Array(count - 3).fill(item) });

const recordOf = (count: number) => ({
  items: Object.fromEntries(Array.from({ length: (count - 3) / 2 }, (_, index) => [`k${index}`, 0])),
});

const TOO_MANY = {
  'empty objects': () => listOf(MOST + 1, {}),
  'empty lists': () => listOf(MOST + 1, []),
  numbers: () => listOf(MOST + 1, 0),
  'empty texts': () => listOf(MOST + 1, ''),
  fields: () => recordOf(MOST + 1),
  'one list many times': () => listOf(1_003, Array(100).fill(null)),
  'a list of holes': () => ({ items: Array(50_000_000) }),
};

const SCHEMAS = {
  'JSON Schema': { type: 'object', properties: { items: {} } },
  'JSON Schema of lists': { type: 'object', properties: { items: { type: 'array', items: { type: 'array' } } } },
  zod: z.object({ items: z.any() }),
  'zod of lists': z.object({ items: z.array(z.array(z.number())) }),
};

const NO_INPUT = { type: 'object', properties: {} };

describe.each(Object.entries(SCHEMAS))('%s', (_kind, schema) => {
  test.each(Object.entries(TOO_MANY))(
    'an output of too many values is refused by their number: %s (A4)',
    async (_what, make) => {
      const output = make();
      const { invoke, lines, log } = openRuntime({ input: NO_INPUT, output: schema, run: () => output });
      expect(await invoke({ input: {} })).toMatchObject({ failure: { code: 'INTERNAL_ERROR', details: undefined } });
      expect(lines).toMatchObject([
        { error: 'has more than 50,000 values (field names count, too); return fewer, or write them to a file' },
      ]);
      expect(JSON.stringify(log.ended).length).toBeLessThan(1_000);
    },
  );

  test.each(Object.entries(TOO_MANY))(
    'an input of too many values is refused by their number: %s (A4)',
    async (_what, make) => {
      const { invoke, log } = openRuntime({ input: schema, output: NO_INPUT, run: () => ({}) });
      expect(await invoke({ input: make() })).toMatchObject({
        failure: {
          code: 'VALIDATION_ERROR',
          details: {
            violations: [
              { path: '', message: 'has more than 50,000 values (field names count, too); send fewer at once' },
            ],
          },
        },
      });
      expect(JSON.stringify(log.begun).length).toBeLessThan(1_000);
    },
  );
});

test('an output, and an input, of as many values as permitted is handed on', async () => {
  const schema = { type: 'object', properties: { items: {} } };
  for (const value of [listOf(MOST, {}), listOf(MOST, 'x'), recordOf(MOST - 1)]) {
    const { invoke } = openRuntime({ input: schema, output: schema, run: (input: object) => input });
    expect(await invoke({ input: value })).toMatchObject({ success: true });
  }
});
