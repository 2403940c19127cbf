// The workflow of docs/sources.md, step by step on a machine that has only the repository: right with its lock, and not without (S4).
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { hasGit, SourceWorld, skillText, type TestRepository } from '../../src/sources/fixtures/source-world.ts';
import { readAllBlocks } from '../support/doc-blocks.ts';

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const [block] = readAllBlocks().filter(({ page, language }) => page === 'docs/sources.md' && language === 'yaml');

interface Workflow {
  readonly jobs: { readonly skills: { readonly steps: readonly { readonly run?: string }[] } };
}

/** `npx --yes repertoire` is the built program here. */
const steps = (parse(block?.text ?? '') as Workflow).jobs.skills.steps.flatMap(({ run }) => (run ? [run] : []));

function runStep(step: string, { project, variables }: SourceWorld) {
  const [npx, yes, name, ...words] = step.split(' ');
  expect([npx, yes, name]).toEqual(['npx', '--yes', 'repertoire']);
  const ran = spawnSync(process.execPath, [program, ...words], { cwd: project, env: variables, encoding: 'utf8' });
  return { step, code: ran.status, said: ran.stdout + ran.stderr };
}

let team: SourceWorld;
let repository: TestRepository;
beforeAll(() => {
  team = new SourceWorld();
  if (!hasGit) return;
  repository = team.repository('origin');
  repository.commit({ 'alpha/SKILL.md': skillText('alpha'), 'beta/SKILL.md': skillText('beta') });
  expect(runStep(`npx --yes repertoire add ${repository.path} --yes`, team)).toMatchObject({ code: 0 });
});
afterAll(() => team.remove());

/** A runner has the repository, and with it the lock, and nothing else. */
function onRunner(lock: string, act: (runner: SourceWorld) => void): void {
  const runner = new SourceWorld();
  try {
    writeFileSync(runner.lockPath, lock);
    runner.write('project/.agents/skills/own/SKILL.md', skillText('own'));
    act(runner);
  } finally {
    runner.remove();
  }
}

describe.skipIf(!hasGit)('the workflow of docs/sources.md', () => {
  test('passes on an empty machine, and again on the same one (S4)', () => {
    expect(steps.map((step) => step.replace('npx --yes repertoire ', ''))).toEqual([
      'sync',
      'sync --check',
      'check --format github',
    ]);
    onRunner(team.lockText(), (runner) => {
      for (const step of [...steps, ...steps]) expect(runStep(step, runner)).toMatchObject({ code: 0 });
    });
  });

  test('fails at `sync` when the lock names bytes that the source does not have (S4)', () => {
    const [step = ''] = steps;
    onRunner(team.lockText().replace(/sha256:[0-9a-f]{8}/, 'sha256:00000000'), (runner) => {
      const { code, said } = runStep(step, runner);
      expect(code).toBe(1);
      expect(said).toContain(`Cannot sync ${repository.path}@`);
    });
  });

  test('fails at `sync --check`, naming the file, when what is kept is not what the lock says (S4)', () => {
    const [sync = '', check = ''] = steps;
    onRunner(team.lockText(), (runner) => {
      expect(runStep(check, runner)).toMatchObject({ code: 1 });
      expect(runStep(sync, runner)).toMatchObject({ code: 0 });
      const kept = join(runner.data, 'sources/skills');
      const file = join(kept, readdirSync(kept)[0] ?? '', 'SKILL.md');
      chmodSync(file, 0o644);
      writeFileSync(file, 'another');
      const { code, said } = runStep(check, runner);
      expect(code).toBe(1);
      expect(said).toMatch(/(alpha|beta)\/SKILL\.md: the file is not what the lock says/);
    });
  });
});
