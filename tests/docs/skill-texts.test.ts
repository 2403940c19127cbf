// Holds docs/problems.md to the rules of the code, and every SKILL.md that a page shows to those rules.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectText } from '../../src/document/inspect.ts';
import { parseSkillDocument } from '../../src/document/skill-document.ts';
import { adviseDocument, validateDocument } from '../../src/document/validate.ts';
import { readYamlFrontmatter } from '../../src/document/yaml-frontmatter.ts';
import { blocksOf, readAllBlocks, readPage } from '../support/doc-blocks.ts';
import { findRunner } from '../support/doc-plan.ts';

describe('docs/problems.md', () => {
  const sections = readSections(readPage('docs/problems.md'));

  test('explains every rule that the code can emit, and no other', () => {
    expect([...sections.keys()].sort()).toEqual([...findRules()].sort());
  });

  test.each([...sections])('says of %s what it means, gives an example and the way out', (_rule, text) => {
    expect(text).toMatch(/\bHow to fix it: /);
    expect(text).toMatch(/^Example: |^```md$/m);
  });

  const shown = [...sections].flatMap(([rule, text]) =>
    blocksOf(rule, text).map((block) => [rule, block.text] as const),
  );

  test('has all its examples below a rule', () => {
    expect(readAllBlocks().filter((block) => findRunner(block) === 'broken skill').length).toBe(shown.length);
  });

  test.each(shown)('shows an example of %s that really breaks that rule', (rule, example) => {
    expect(rulesBrokenBy(showHidden(example), 'my-skill')).toContain(rule);
  });
});

const good = readAllBlocks().filter((block) => findRunner(block) === 'skill');

test.each(good.map((block) => [block.place, block.text] as const))('the SKILL.md in %s breaks no rule', (_, text) => {
  const folder = /^name: (.+)$/m.exec(text)?.[1] ?? '';
  expect(rulesBrokenBy(text, folder)).toEqual([]);
});

/** By rule: the text between its heading and the next. */
function readSections(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^### (.+)$/m).slice(1);
  const entries = parts.flatMap((part, index) =>
    index % 2 === 0 ? [[part, parts[index + 1]?.split(/^## /m)[0] ?? ''] as const] : [],
  );
  return new Map(entries);
}

/** Every rule that a source file names, whatever way it writes it. Typed skills and upkeep have rules of another kind. */
function findRules(): ReadonlySet<string> {
  const rules = new Set<string>();
  for (const path of sourcesWithRules()) {
    const source = readFileSync(path, 'utf8');
    for (const [, written = ''] of source.matchAll(/\brule: ([^,;)\n]+)/g)) {
      const found = rulesIn(written);
      // Neither a rule nor one handed on: findRules has to learn how this file writes its rules.
      if (found.length === 0) expect(HANDED_ON, path).toContain(written);
      for (const rule of found) rules.add(rule);
    }
    for (const [, helper] of source.matchAll(/(\w+)(?: = )?\(rule: string/g)) {
      for (const [, rule = ''] of source.matchAll(new RegExp(`\\b${helper}\\(\\s*'([a-z0-9-]+)'`, 'g')))
        rules.add(rule);
    }
  }
  return rules;
}

const HANDED_ON = ['string', 'rule.rule', 'fault.rule', 'InspectionRule', 'text(', 'finding.rule'];

function sourcesWithRules(): readonly string[] {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((path) => join('src', path));
  return sources.filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\/fixtures\/|^src\/skills\/|upkeep/.test(path));
}

function rulesIn(written: string): readonly string[] {
  const suffix = /^`\$\{key\}(-[a-z-]+)`$/.exec(written)?.[1];
  if (suffix !== undefined) return [`name${suffix}`, `description${suffix}`];
  return [...written.matchAll(/'([a-z0-9-]+)'/g)].map(([, rule = '']) => rule);
}

/** Characters that nobody sees stand in the page as \u200B or \u{E0073}. */
function showHidden(text: string): string {
  return text.replace(/\\u(?:\{([0-9A-F]+)\}|([0-9A-F]{4}))/g, (_, long, short) =>
    String.fromCodePoint(Number.parseInt(long ?? short, 16)),
  );
}

function rulesBrokenBy(text: string, folder: string): readonly string[] {
  const parsed = parseSkillDocument(text, readYamlFrontmatter);
  const document = parsed?.document;
  const facts = { skillBytes: text.length, files: [] };
  const remarks = [
    ...(parsed?.issues ?? []),
    ...(document ? [...validateDocument(document, folder), ...adviseDocument(document, facts)] : []),
    ...inspectText(text),
  ];
  return remarks.map(({ rule }) => rule);
}
