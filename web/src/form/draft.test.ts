// A field whose text is no JSON says where, and how to put it right.
import { expect, test } from 'vitest';
import { readDraft } from './draft.ts';

test('readDraft() says at the field what is wrong with its JSON, and where (U8)', () => {
  const schema = { type: 'object', properties: { extra: {}, other: {} } };
  const { value, faults } = readDraft(schema, { extra: '{\n  "a": 1,\n}', other: '[1]' });
  expect(value).toEqual({ other: [1] });
  expect([...faults]).toEqual([['extra', 'is not JSON (line 3, column 1): there is a comma too many before this }']]);
});
