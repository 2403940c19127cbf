// The skills as lines for programs and as a table for people.
import { describe, expect, test } from 'vitest';
import { exampleSkill } from './fixtures/example-values.ts';
import { renderLines, renderTable } from './list.ts';
import { createPaint } from './terminal/colours.ts';

const hostile = exampleSkill({
  name: 'a\u001b[31mb',
  description: `x\n\ty\u009b2J ${'long '.repeat(100)}`,
  source: 's\u0007',
});

describe('renderLines', () => {
  test('separates name, description and source by tabs, one line each', () => {
    const line = renderLines([exampleSkill({})]);
    expect(line.split('\t')).toEqual(['pdf-forms', expect.stringContaining('Fills in'), './.agents/skills\n']);
  });

  test('cuts a description at 200 and keeps a hostile skill on its line', () => {
    const text = renderLines([hostile]);
    expect(text.split('\t')[1]?.length).toBeLessThanOrEqual(200);
    expect(text).not.toMatch(/[\u001b\u009b\u0007]/);
    expect(text.split('\n')).toHaveLength(2);
  });
});

describe('renderTable', () => {
  test('fits the terminal', () => {
    const text = renderTable([hostile, exampleSkill({})], { paint: createPaint(false), columns: 60 });
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(text).not.toMatch(/[\u001b\u009b\u0007]/);
  });

  test('keeps names whole at 60 columns, and leaves out a kind that all have (U11)', () => {
    const rows = ['credential_validation', 'task_creation'].map((name) => ({
      ...exampleSkill({ name }),
      source: 'typed',
    }));
    const text = renderTable(rows, { paint: createPaint(false), columns: 60 });
    expect(text).toMatch(/^credential_validation {2}Fills in/);
    expect(text).not.toContain('typed');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(renderLines(rows)).toContain('\ttyped\n');
  });

  test('marks a skill of which the last good text is served (D8)', () => {
    const text = renderTable([exampleSkill({ availability: 'fallback' })], { paint: createPaint(false), columns: 100 });
    expect(text).toContain('pdf-forms (old text)');
  });
});
