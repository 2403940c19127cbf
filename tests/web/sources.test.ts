// The page of sources in a browser: what is pinned, what does not match, and what is newer after a press (S3, S4).
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasGit, SourceWorld, skillText, type TestRepository } from '../../src/sources/fixtures/source-world.ts';
import { foundByAxe, scrollsSideways } from './look.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

let world: WebWorld;
let sources: SourceWorld;
let repository: TestRepository;

beforeAll(async () => {
  if (!hasGit) return;
  sources = new SourceWorld();
  repository = sources.repository('team-skills');
  repository.commit({ 'alpha/SKILL.md': skillText('alpha'), 'beta/SKILL.md': skillText('beta') });
  world = await openWebWorld({ options: ['--project', sources.project] });
});

afterAll(async () => {
  await world?.close();
  sources?.remove();
});

const run = (...words: readonly string[]) =>
  execFileSync(
    process.execPath,
    [program, ...words, '--project', sources.project, '--data', join(world.home, 'data')],
    {
      env: sources.variables,
    },
  );

async function at(path: string, look: (page: Page) => Promise<void>): Promise<void> {
  await world.see(path, async (page) => {
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    await look(page);
  });
}

describe.skipIf(!hasGit)('the page of sources', () => {
  test('says how to add one while there is none', async () => {
    await at('/sources', async (page) => {
      await expect.poll(() => page.textContent('main')).toContain('add github:OWNER/REPO');
      expect(await page.getByRole('button', { name: 'Check for newer commits' }).count()).toBe(0);
    });
  });

  test('shows each with its commit; a changed file is named; a press tells what is newer (S3, S4)', async () => {
    run('add', repository.path, '--yes');
    const lock = JSON.parse(readFileSync(sources.lockPath, 'utf8'));
    const [{ commit, skills }] = lock.sources;
    const newest = repository.commit({ 'alpha/SKILL.md': skillText('alpha', 'new\n') });
    await at('/skills', async (page) => {
      await page.getByRole('link', { name: 'Sources' }).click();
      await page.getByText(commit).waitFor();
      await expect.poll(() => page.textContent('main')).toContain('ready');
      // The server sees the new lock a moment later; until then its skills have no page to link to.
      await expect.poll(() => page.getByRole('link', { name: 'alpha' }).count()).toBe(1);
      expect(await page.textContent('main')).not.toContain(newest.slice(0, 7));
      await page.getByRole('button', { name: 'Check for newer commits' }).click();
      await page.getByText(newest.slice(0, 7)).waitFor();
      const places = `--project ${sources.project} --data ${join(world.home, 'data')}`;
      await expect.poll(() => page.textContent('main')).toContain(`update ${repository.path} ${places}`);
    });
    const folder = join(world.home, 'data/sources/skills', String(skills[1].digest).slice(7));
    chmodSync(join(folder, 'SKILL.md'), 0o644);
    writeFileSync(join(folder, 'SKILL.md'), 'another');
    mkdirSync(join(folder, 'extra'));
    writeFileSync(join(folder, 'extra/file'), 'x');
    await at('/sources', async (page) => {
      const text = (await page.textContent('main')) ?? '';
      expect(text).toContain('beta/SKILL.md: not what the lock says');
      expect(text).toContain('beta/extra/file: not in the lock');
      expect(text).toContain(`sync --project ${sources.project} --data `);
      // What is not served has no page that a link could lead to.
      await expect.poll(() => page.getByRole('link', { name: 'beta' }).count()).toBe(0);
      expect(text).toContain('beta (not served by its name)');
      await page.getByRole('link', { name: 'alpha' }).click();
      await page.getByRole('heading', { name: 'alpha' }).first().waitFor();
      await page.goBack();
      await page.getByText('beta/SKILL.md: not what the lock says').waitFor();
      expect(await foundByAxe(page)).toEqual([]);
    });
    const narrow = await world.open('/sources', { viewport: { width: 380, height: 800 } });
    await narrow.getByText('changed').waitFor();
    expect(await scrollsSideways(narrow)).toBe(false);
    await narrow.context().close();
  });

  test('is for the operator alone', async () => {
    const token = await world.addAgent('reader', { scopes: ['log:read'] });
    const page = await world.open('/sources', {}, token);
    await page.getByText('For the operator alone').waitFor();
    expect(await page.getByRole('link', { name: 'Sources' }).count()).toBe(0);
    await page.context().close();
  });
});
