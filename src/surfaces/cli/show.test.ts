// The lines above a skill that a person reads.
import { expect, test } from 'vitest';
import { exampleProblem, exampleSkill } from './fixtures/example-values.ts';
import { renderHeader } from './show.ts';
import { createPaint } from './terminal/colours.ts';

const layout = { paint: createPaint(false), columns: 80 };

test('the header says where the skill is from and what is wrong with it', () => {
  const description = {
    skill: exampleSkill({}),
    fileCount: 2,
    problems: [exampleProblem({ rule: 'r', message: 'M' })],
    findings: [],
  };
  expect(renderHeader(description, layout)).toBe(
    'pdf-forms  ./.agents/skills · /skills/pdf-forms · 2 files\n▲ r: M\n\n',
  );
});

test('the header says that a text is old (D8), and lets no control character through', () => {
  const skill = exampleSkill({ name: 'a\u001b[31m', availability: 'fallback' });
  const header = renderHeader({ skill, fileCount: 1, problems: [], findings: [] }, layout);
  expect(header).toContain('last good text');
  expect(header).not.toContain('\u001b');
});
