// What advice says to type.
import { expect, test } from 'vitest';
import { hintLine, inOwnWords } from './hint-line.ts';

const program = () => ['node', '/checkout/dist/cli.js'];
const given = {
  program,
  flags: new Set(['default-roots', 'json'] as const),
  values: new Map([
    ['root', ['./a', 'b c']],
    ['project', ['..']],
    ['data', ['d']],
    ['database-url', ['postgres://me:secret@db/x']],
    ['limit', ['3']],
  ] as const),
};

test('hintLine() names the program as it is started here, and keeps where it looks (U5)', () => {
  expect(hintLine(given, ['list'])).toBe(
    "node /checkout/dist/cli.js list --root ./a --root 'b c' --default-roots --project .. --data d",
  );
  expect(hintLine(given, [])).toBe(
    "node /checkout/dist/cli.js --root ./a --root 'b c' --default-roots --project .. --data d",
  );
});

test('hintLine() keeps only what the command takes, and repeats no password (U5)', () => {
  expect(hintLine(given, ['new', 'x'])).toBe("node /checkout/dist/cli.js new x --root ./a --root 'b c' --project ..");
  expect(hintLine(given, ['token', '--rotate'])).toBe(
    'node /checkout/dist/cli.js token --rotate --data d --database-url URL',
  );
  expect(hintLine(given, ['agent', 'add', 'NAME'])).toBe(
    'node /checkout/dist/cli.js agent add NAME --data d --database-url URL',
  );
});

test('hintLine() says nothing twice (U5)', () => {
  const line = hintLine(given, ['doctor', '--root', '/x', '--data', '/y']);
  expect(line).toBe(
    'node /checkout/dist/cli.js doctor --root /x --data /y --default-roots --project .. --database-url URL',
  );
});

test('inOwnWords() puts every command of a sentence as it is typed here (U6)', () => {
  expect(
    inOwnWords(given, 'Empty: run `repertoire token --rotate`; `repertoire log --loads` lists "repertoire x".'),
  ).toBe(
    'Empty: run `node /checkout/dist/cli.js token --rotate --data d --database-url URL`; ' +
      '`node /checkout/dist/cli.js log --loads --data d --database-url URL` lists "repertoire x".',
  );
});
