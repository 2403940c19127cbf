// An alarm on an honest skill is a defect: 26 skills on subjects that come close to every rule (THREATS: hidden characters).
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inspectText } from '../inspect.ts';

const folder = new URL('../../../tests/fixtures/honest-skills/', import.meta.url);
const names = readdirSync(folder).sort();

/** What is reported on purpose, and why. Everything else must be silent. */
const expected: Readonly<Record<string, readonly string[]>> = {
  // Its subject is installers that pipe a download into a shell; known ones are worth seeing, as medium.
  'shell-installers': ['pipe-to-shell medium', 'pipe-to-shell medium', 'pipe-to-shell medium'],
};

describe('honest skills', () => {
  test('there are enough of them', () => {
    expect(names.length).toBeGreaterThanOrEqual(25);
  });

  test.each(names)('%s raises no alarm (THREATS: hidden characters, markup and ANSI)', (name) => {
    const text = readFileSync(new URL(`${name}/SKILL.md`, folder), 'utf8');
    expect(text.startsWith(`---\nname: ${name}\n`)).toBe(true);
    const findings = inspectText(text).map(({ rule, severity }) => `${rule} ${severity}`);
    expect(findings).toEqual(expected[name] ?? []);
  });
});
