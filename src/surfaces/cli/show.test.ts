// Which skill a typed name or URI means, and the lines above it.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AnySkill, defineSkill } from '../../skills/define/define-skill.ts';
import { createRuntime } from '../../skills/run/runtime.ts';
import { createCommandWorld } from './fixtures/command-world.ts';
import { exampleProblem, exampleSkill, exampleSnapshot } from './fixtures/example-values.ts';
import { findSkill, renderDefinition, renderHeader, run } from './show.ts';
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

describe('renderDefinition', () => {
  const shown = (skill: Parameters<typeof defineSkill>[0], { columns } = layout) => {
    const registered = createRuntime({ skills: [skill] }).find(skill.name);
    return registered ? renderDefinition(registered, { ...layout, columns }).split('\n') : [];
  };
  const item = z.object({ id: z.guid().describe('Which one.'), note: z.string().nullish() });
  const order = defineSkill({
    name: 'order',
    description: 'Orders things.',
    category: 'execution',
    assignedTo: ['TaskAgent'],
    input: z.object({
      title: z.string().min(1).max(200).describe('What to order.'),
      count: z.int().min(1).max(5).default(2).describe('How many.'),
      offset: z.int().min(0).optional(),
      items: z.array(item).min(1).max(50).describe('The things.'),
      when: z.iso.datetime().nullable(),
    }),
    output: z.object({ total: z.number() }),
    successCriteria: ['It is on its way.', 'It is paid for.'],
    failureModes: ['NOT_FOUND'],
    limits: { perMinute: 7, atOnce: 3 },
    run: () => ({ total: 1 }),
  });

  test('shows the fields with their limits, when it has succeeded, and the limits of a call (C, M7)', () => {
    expect(shown(order)).toEqual([
      'order  typed · execution',
      'Orders things.',
      '',
      '  Agents       TaskAgent',
      '  Input        title: string of 1–200 characters, required · What to order.',
      '               count: integer 1–5, optional, 2 by default · How many.',
      '               offset: integer from 0, optional',
      '               items: list of object (1–50), required · The things.',
      '               items[].id: uuid, required · Which one.',
      '               items[].note: string | null, optional',
      '               when: date-time | null, required',
      '  Output       total: number, required',
      '  Succeeds if  It is on its way.',
      '               It is paid for.',
      '  Limits       30 seconds, 7 calls per minute for each caller, 3 at once',
      '  Fails with   NOT_FOUND',
      '',
    ]);
  });

  const rowsOf = (more: Partial<AnySkill>) =>
    shown({ ...order, ...more } as typeof order, { ...layout, columns: 120 }).filter((line) =>
      /^ {2}(Limits|Durable|Approval) /.test(line),
    );

  test('says whether runs survive, how often one is tried, and that a person has to allow it (J1, J8)', () => {
    expect(rowsOf({})).toHaveLength(1);
    expect(rowsOf({ durable: { idempotent: true, attempts: 4, backoffSeconds: 10 }, timeoutSeconds: 7_200 })).toEqual([
      '  Limits       7,200 seconds, 7 calls per minute for each caller, 3 at once',
      '  Durable      runs survive a restart; 4 attempts, the second after about 10 seconds; idempotent',
    ]);
    expect(rowsOf({ approval: 'required' }).slice(1)).toEqual([
      '  Durable      runs survive a restart; 1 attempt; not idempotent: never run twice',
      '  Approval     required: each run waits until a person allows it',
    ]);
  });
});

const snapshot = exampleSnapshot(
  [exampleSkill({ name: 'pdf-forms' }), exampleSkill({ name: 'pdf-merge' }), exampleSkill({ name: 'weather' })],
  [exampleProblem({ path: 'group/Broken/SKILL.md' }), exampleProblem({ path: 'odd/SKILL.md', severity: 'warning' })],
);

function absence(wanted: string, within = snapshot): string {
  const found = findSkill(wanted, within);
  return found.ok ? 'found' : found.failure;
}

describe('findSkill', () => {
  test('finds by name and by URI', () => {
    expect(findSkill('weather', snapshot)).toMatchObject({ ok: true, value: { name: 'weather' } });
    expect(findSkill('skill://weather/SKILL.md', snapshot)).toMatchObject({ ok: true, value: { name: 'weather' } });
  });

  test('takes what is written as a URI for nothing else (D5)', () => {
    const impostor = exampleSkill({ name: 'SKILL://weather/SKILL.md', segments: ['uri'] });
    const both = exampleSnapshot([exampleSkill({ name: 'weather' }), impostor], []);
    expect(findSkill('skill://weather/SKILL.md', both)).toMatchObject({ ok: true, value: { name: 'weather' } });
    expect(findSkill('SKILL://weather/SKILL.md', both)).not.toMatchObject({ ok: true, value: impostor });
  });

  test('finds by the name of the folder when no skill bears it', () => {
    const renamed = exampleSnapshot([exampleSkill({ name: 'docker', segments: ['docker-help'] })], []);
    expect(findSkill('docker-help', renamed)).toMatchObject({ ok: true, value: { name: 'docker' } });
  });

  test('names the nearest skills', () => {
    expect(absence('pdf-form')).toBe('No skill is named "pdf-form": did you mean "pdf-forms"?');
    expect(absence('skill://wether/SKILL.md')).toBe(
      'No skill has the URI "skill://wether/SKILL.md": did you mean "skill://weather/SKILL.md"?',
    );
  });

  test('says how to see them all when none is near', () => {
    expect(absence('quaternion')).toBe('No skill is named "quaternion": `repertoire list` shows the 3 skills');
    expect(absence('x', exampleSnapshot([], []))).toBe('No skill is named "x": there are no skills');
  });

  test('gives the reason and the remedy when the skill is there but broken', () => {
    expect(absence('broken')).toBe(
      'Cannot show "broken": ./.agents/skills/group/Broken/SKILL.md is broken. ' +
        'Cannot serve the skill by name: its frontmatter has no "name". Add a line',
    );
  });

  test('keeps what was typed on one harmless line', () => {
    expect(absence('a\u001b[31m\nb')).not.toMatch(/[\u001b\n]/);
  });
});

test('a built-in typed skill is told from a name that no skill has (C)', async () => {
  const shown = async (name: string) => {
    const { context, stderr } = createCommandWorld({ operands: [name], given: { roots: ['/dev/null/skills'] } });
    return { code: await run(context), stderr: stderr().split('\n').slice(1).join('\n') };
  };
  expect(await shown('task_creation')).toEqual({
    code: 1,
    stderr: 'No document skill is named "task_creation": it is a built-in typed skill; add --builtin all to see it\n',
  });
  expect((await shown('task_creatio')).stderr).toBe('No skill is named "task_creatio": there are no skills\n');
});
