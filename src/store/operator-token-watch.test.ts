// A token that is rotated while a server runs is noticed (H5, N3).
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openOperatorToken, rotateOperatorToken } from './operator-token-file.ts';
import { watchOperatorToken } from './operator-token-watch.ts';

function startWatch() {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'repertoire-token-'));
  const source = { dataDirectory, operatorToken: undefined };
  const opened = openOperatorToken(source);
  if (!opened.ok) throw new Error(opened.failure);
  const [rotated, problems]: [string[], string[]] = [[], []];
  const stop = watchOperatorToken({
    dataDirectory,
    token: opened.value.token,
    onRotated: (token) => rotated.push(token),
    onProblem: (message) => problems.push(message),
    everyMs: 5,
  });
  onTestFinished(() => {
    stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  });
  const rotate = () => {
    const made = rotateOperatorToken(source);
    return made.ok ? made.value.token : made.failure;
  };
  return { path: join(dataDirectory, 'operator-token'), rotated, problems, rotate, stop };
}

test('each new token is told once, whoever made it (H5, N3)', async () => {
  const { path, rotated, rotate, problems } = startWatch();
  const first = rotate();
  await expect.poll(() => rotated).toEqual([first]);
  const written = `rpo_${'w'.repeat(43)}`;
  writeFileSync(path, `${written}\n`);
  await expect.poll(() => rotated).toEqual([first, written]);
  const third = rotate();
  await expect.poll(() => rotated).toEqual([first, written, third]);
  expect(problems).toEqual([]);
});

test('a file that is gone or broken is said once and changes nothing; the same token again is no news (H5)', async () => {
  const { path, rotated, problems } = startWatch();
  const text = readFileSync(path, 'utf8');
  renameSync(path, `${path}.away`);
  await expect.poll(() => problems).toHaveLength(1);
  writeFileSync(path, 'too short');
  renameSync(`${path}.away`, path);
  expect(readFileSync(path, 'utf8')).toBe(text);
  const other = `rpo_${'x'.repeat(43)}`;
  writeFileSync(path, other);
  await expect.poll(() => rotated).toEqual([other]);
  expect(problems).toEqual([expect.stringMatching(/^Cannot read the operator token/)]);
});
