// Holds docs/builtin-skills.md to the skills: its examples, one after the other, give what the page shows; its tables name
// every skill and field (B4, B6).
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { toFoundSkill } from '../../../src/app/found-skill.ts';
import { ALL_BUILTIN_NAMES } from '../../../src/builtin/builtin-names.ts';
import { openCatalog } from '../../../src/open-catalog.ts';
import { createRepertoire } from '../../../src/repertoire/repertoire.ts';
import { definitionJson } from '../../../src/skills/define/registered-skill.ts';
import { openPlanning } from './planning-world.ts';

const page = readFileSync('docs/builtin-skills.md', 'utf8');
const [, ...parts] = page.split(/^### (\w+)$/m);
const sections = parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1] ?? ''] as const] : []));

const catalog = await openCatalog({ roots: ['examples/skills'], watch: false });
const planning = openPlanning({
  search: (runtime) => {
    const { search } = createRepertoire(catalog, { runtime });
    return async (...asked) => (await search(...asked)).map(toFoundSkill);
  },
});
afterAll(async () => {
  await planning.runtime.close();
  catalog.close();
});

test('the page has every built-in skill, once, with its category, agents and users (B6)', () => {
  const names = [...ALL_BUILTIN_NAMES];
  expect(sections.map(([name]) => name).sort()).toEqual(names.sort());
  const rows = [...page.matchAll(/^\| \[(\w+)\]\(#\w+\) \| (.+) \| (.+) \| (yes|no) \|$/gm)].map(([, ...row]) => row);
  expect(rows.sort()).toEqual(
    names.map((name) => {
      const skill = planning.runtime.find(name);
      const { assignedTo = [], userField } = skill?.access ?? {};
      return [name, skill?.category, assignedTo.join(', '), userField === undefined ? 'no' : 'yes'];
    }),
  );
});

/** What the page shows for an id or a token → what it is in this run. */
const real = new Map<string, unknown>();

describe.each(sections)('%s', (name, text) => {
  test('the tables name every field', () => {
    const skill = planning.runtime.find(name);
    const { input_schema, output_schema } = skill ? definitionJson(skill) : { input_schema: {}, output_schema: {} };
    for (const schema of [input_schema, output_schema]) {
      for (const field of Object.keys(schema.properties ?? {}))
        expect(text).toMatch(new RegExp(`^\\|.*\`${field}\``, 'm'));
    }
  });

  test('the example gives what the page shows', async () => {
    const [input, shown] = [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = '']) => json);
    const given = [...real].reduce((json, [seen, value]) => json.replaceAll(seen, () => String(value)), input ?? '');
    const output = await planning.output(name, JSON.parse(given));
    expect(alike(JSON.parse(shown ?? ''), output)).toEqual(output);
  });
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isMade = (text: string): boolean => UUID.test(text) || text.startsWith('eyJ');

/** The shown value with what is new in every run taken from the real one, where it has the same kind. */
function alike(shown: unknown, made: unknown, field?: string): unknown {
  if (typeof shown === 'number' && (field === 'score' || field === 'duration_ms')) return made;
  if (typeof shown === 'string' && typeof made === 'string' && isMade(shown) && isMade(made)) {
    if (!real.has(shown)) real.set(shown, made);
    return real.get(shown);
  }
  if (typeof shown !== 'object' || shown === null || typeof made !== 'object' || made === null) return shown;
  const other = made as Readonly<Record<string, unknown>>;
  if (Array.isArray(shown)) return shown.map((item, index) => alike(item, other[index]));
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, alike(value, other[key], key)]));
}
