// `repertoire upkeep` as a user meets it: what it finds among skills on the disk, in a pipe and as JSON, and when there is nothing.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addSkill, type CliWorld, createCliWorld } from './cli-world.ts';

let world: CliWorld;
beforeEach(() => {
  world = createCliWorld();
});
afterEach(() => world.remove());

const BODY = Array.from(
  { length: 30 },
  (_, at) => `Step ${at}: put item${at} beside item${at * 3} and count them.`,
).join('\n');

test('a copy is told with what to do, and findings are no failure', () => {
  const root = `${world.home}/own`;
  addSkill(root, 'counting', BODY);
  addSkill(root, 'tallying', `${BODY}\nThen write the sum down.\n`);
  const report = world.json(['upkeep', '--root', root, '--json']);
  expect(report).toMatchObject({ window: '30d', skills_checked: 2, uses_known: false });
  expect(report.findings).toMatchObject([
    { rule: 'near-duplicate', skill: { name: 'counting' }, others: [{ name: 'tallying' }], uses: null },
  ]);
  const piped = world.run(['upkeep', '--root', root]);
  expect([piped.code, piped.stdout.split('\t').slice(0, 3)]).toEqual([0, ['near-duplicate', 'counting', 'tallying']]);
  expect(piped.stderr).toContain('Nothing was recorded in the last 30 days');
});

test('a skill that was made a minute ago is one copy, and is not told as unused', () => {
  expect(world.run(['new', 'stand-up']).code).toBe(0);
  const fresh = world.json(['upkeep']);
  expect(fresh).toMatchObject({ skills_checked: 1, findings: [] });
  const user = JSON.stringify({ email: 'ada@example.com', password: 'correct horse 1 Battery' });
  expect(world.run(['invoke', 'user_creation', '--builtin', 'all', '--input', user]).code).toBe(0);
  expect(world.json(['upkeep'])).toMatchObject({ uses_known: true, skills_checked: 1, findings: [] });
});

test('without skills it says so, and a bad window is wrong usage', () => {
  const none = world.run(['upkeep', '--root', `${world.home}/empty`]);
  expect([none.code, none.stdout]).toEqual([0, '']);
  expect(none.stderr).toContain('No skills found');
  expect(world.run(['upkeep', '--window', 'soon']).code).toBe(2);
});
