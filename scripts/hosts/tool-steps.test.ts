// The scripted model calls each of our tools once, and a walk is green only if all were offered and gave what they should.
import { describe, expect, test } from 'vitest';
import type { Said } from './model-protocols.ts';
import { createStepModel, findLibraryTool, findTool, judgeSighting, REQUEST, STEPS } from './tool-steps.ts';

const OURS = STEPS.map(({ tool }) => ({ name: `repertoire_${tool}` }));
const ANSWERS = STEPS.map(({ expected }) => `{"text":"${expected}."}`);
const nameOf = (said: Said): string => ('call' in said ? said.call.name : said.text);

describe('findTool()', () => {
  test.each([
    { name: 'mcp__repertoire__skill' },
    { name: 'repertoire-skill' },
    { name: 'skill', namespace: 'mcp__repertoire' },
    { name: 'repertoire:skill' },
  ])('finds $name of $namespace', (tool) => {
    expect(findTool([{ name: 'skill' }, { name: 'mcp__repertoire__get_skill' }, tool], 'skill')).toEqual(tool);
  });

  test('takes a tool of the host itself for ours only in libraries, which have none', () => {
    expect(findTool([{ name: 'skill' }], 'skill')).toBeUndefined();
    expect(findLibraryTool([{ name: 'get_skill' }, { name: 'skill' }], 'skill')).toEqual({ name: 'skill' });
  });
});

describe('createStepModel()', () => {
  const walk = (tools: typeof OURS) => {
    const model = createStepModel(findTool);
    const said = [...ANSWERS.keys(), ANSWERS.length].map((count) =>
      nameOf(model.decide({ tools, text: REQUEST, results: ANSWERS.slice(0, count) })),
    );
    return { model, said };
  };

  test('calls each tool once, in order, and is done', () => {
    const { model, said } = walk(OURS);
    expect(said).toEqual([...OURS.map(({ name }) => name), 'It tastes of spring.']);
    expect(model.isDone()).toBe(true);
    expect(judgeSighting(model.sighting())).toEqual([]);
  });

  test('answers requests that are not its own, such as for a title, without a call', () => {
    const model = createStepModel(findTool);
    expect(nameOf(model.decide({ tools: OURS, text: 'Name this conversation', results: [] }))).toBe('Hello.');
    expect(nameOf(model.decide({ tools: [], text: REQUEST, results: [] }))).toBe('Hello.');
    expect(model.isDone()).toBe(false);
    expect(judgeSighting(model.sighting())).toEqual(['it offered its model none of our tools']);
  });

  test('looks for tools first where the host holds them back', () => {
    const model = createStepModel(findTool, { tool: 'ToolSearch', input: {} });
    const held = [{ name: 'ToolSearch' }, ...OURS.slice(0, 1)];
    expect(nameOf(model.decide({ tools: held, text: REQUEST, results: [] }))).toBe('ToolSearch');
    expect(nameOf(model.decide({ tools: OURS, text: REQUEST, results: ['found'] }))).toBe('repertoire_list_skills');
    model.decide({ tools: OURS, text: REQUEST, results: ['found', ...ANSWERS] });
    expect(judgeSighting(model.sighting())).toEqual([]);
  });

  test('keeps the fullest conversation when a host asks again with less', () => {
    const { model } = walk(OURS);
    model.decide({ tools: OURS, text: REQUEST, results: [] });
    expect(judgeSighting(model.sighting())).toEqual([]);
  });
});

describe('judgeSighting()', () => {
  const offered = new Map(OURS.map((tool, index) => [STEPS[index]?.tool ?? '', tool]));

  test('names a tool that was not offered, and looks at the others', () => {
    const some = new Map([...offered].filter(([tool]) => tool !== 'search_skills'));
    const answers = ANSWERS.filter((_answer, index) => STEPS[index]?.tool !== 'search_skills');
    expect(judgeSighting({ offered: some, results: answers })).toEqual(['it did not offer search_skills']);
  });

  test('names a call that was not answered, and one that gave something else', () => {
    const results = ANSWERS.slice(0, 4).with(2, 'Permission denied');
    expect(judgeSighting({ offered, results })).toEqual([
      'skill answered: "Permission denied"',
      'read_skill_file was never answered',
    ]);
  });
});
