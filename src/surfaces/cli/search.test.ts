// How hits are shown to people and to programs (C, T13).
import { describe, expect, test } from 'vitest';
import type { Skill } from '../../catalog/view/skill.ts';
import type { SkillHit } from '../../repertoire/repertoire.ts';
import { exampleSkill } from './fixtures/example-values.ts';
import { renderHits, renderLines } from './search.ts';
import { createPaint } from './terminal/colours.ts';

const hitOf = (skill: Partial<Skill> = {}, score = 4, why = 'name: pdf; description: fill'): SkillHit => {
  const found = exampleSkill(skill);
  const { name, description, uri } = found;
  return { name, description, uri, kind: 'document', skill: found, score, why };
};
const hostile = hitOf(
  { name: 'a\u001b[31mb', description: `x\n\ty\u009b2J ${'long '.repeat(100)}` },
  1,
  'name: \u0007\t',
);
const layout = { paint: createPaint(false), columns: 60 };

describe('renderLines', () => {
  test('separates name, score, description and why by tabs, one line each', () => {
    const line = renderLines([hitOf()]);
    expect(line.split('\t')).toEqual([
      'pdf-forms',
      '4',
      expect.stringContaining('Fills'),
      'name: pdf; description: fill\n',
    ]);
  });

  test('keeps a hostile skill on its line', () => {
    const text = renderLines([hostile]);
    expect(text.split('\t')).toHaveLength(4);
    expect(text.split('\n')).toHaveLength(2);
    expect(text).not.toMatch(/[\u001b\u009b\u0007]/);
  });
});

describe('renderHits', () => {
  test('draws each score against the best and says why', () => {
    expect(renderHits([hitOf(), hitOf({}, 2)], { ...layout, columns: 80 })).toBe(
      [
        'pdf-forms  ━━━━━━━━  ./.agents/skills',
        '  Fills in PDF forms. Use it when a form is to be filled in.',
        '  name: pdf; description: fill',
        '',
        'pdf-forms  ━━━━────  ./.agents/skills',
        '  Fills in PDF forms. Use it when a form is to be filled in.',
        '  name: pdf; description: fill',
        '',
      ].join('\n'),
    );
  });

  test('shows two lines of a long description, in the width of the terminal', () => {
    const text = renderHits([hostile], layout);
    expect(text.split('\n')).toHaveLength(5);
    expect(text).toMatch(/long …\n/);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(62);
    expect(text).not.toMatch(/[\u001b\u009b\u0007]/);
  });
});
