import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SourceWorld } from '../fixtures/source-world.ts';
import { environmentFor, type GitWorld, runGit } from './run-git.ts';

/** Runs this script in the place of git. */
async function runScript(script: string, changes: Partial<GitWorld> = {}) {
  const world = new SourceWorld();
  world.write('bin/git', { script: `#!/bin/sh\n${script}\n` });
  const variables = { PATH: `${world.at('bin')}:${process.env.PATH}` };
  const result = await runGit({ words: ['x'] }, { variables, protocols: ['https'], quietMs: 60_000, ...changes });
  const hasRun = existsSync(world.at('later'));
  world.remove();
  return { result, hasRun };
}

describe('runGit()', () => {
  test('gives up what shows no progress, and what it started, too (S5)', async () => {
    const { result } = await runScript('sleep 600 & sleep 600', { quietMs: 200 });
    expect(result).toMatchObject({
      ok: false,
      failure: { kind: 'quiet', reason: expect.stringContaining('nothing has happened') },
    });
  });

  test.skipIf(process.platform !== 'linux')(
    'gives up what takes too much memory, in a process that it started (S5)',
    async () => {
      const fill = `node -e 'setInterval(() => {}, 9); globalThis.kept = Buffer.alloc(150 * 1024 * 1024, 1)'`;
      const { result } = await runScript(`${fill} & sleep 600`, { mostMemory: 100 * 1024 * 1024 });
      expect(result).toMatchObject({
        ok: false,
        failure: { kind: 'overrun', reason: expect.stringContaining('memory') },
      });
    },
  );

  test('ends with its signal (S5)', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const { result } = await runScript('sleep 600', { signal: stop.signal });
    expect(result).toMatchObject({ ok: false, failure: { kind: 'stopped' } });
  });

  test('says what git says, in one line (S5)', async () => {
    const { result } = await runScript('echo "remote: Counting" >&2; echo "fatal: the reason" >&2; exit 128');
    expect(result).toEqual({ ok: false, failure: { kind: 'failed', reason: 'the reason' } });
  });

  test.each([
    ["fatal: unable to read askpass response from 'false'", /no such repository, or it wants a credential/],
    ["fatal: could not read Username for 'https://x': terminal prompts disabled", /wants a credential/],
    ['git@x: Permission denied (publickey).\nfatal: Could not read from remote repository.', /ssh has no key/],
    ['Host key verification failed.\nfatal: Could not read from remote repository.', /does not know the key/],
    ["fatal: unable to access 'https://x/': The requested URL returned error: 301", /redirects to another address/],
  ])('says what is to be done about %j (S1, S5)', async (said, reason) => {
    const lines = said.split('\n').map((line) => `echo "${line}" >&2`);
    const { result } = await runScript(`${lines.join('; ')}; exit 128`);
    expect(result).toMatchObject({ ok: false, failure: { kind: 'failed', reason: expect.stringMatching(reason) } });
  });

  test('asks nobody: no terminal, no variable of git but ours (S5)', async () => {
    const { result } = await runScript('if [ -t 0 ]; then exit 1; fi; (: < /dev/tty) 2>/dev/null && exit 1; echo fine');
    expect(result.ok && result.value.toString()).toBe('fine\n');
    const given = environmentFor({
      variables: { GIT_DIR: '/x', SSH_ASKPASS: 'x', git_trace: '1', HOME: '/h' },
      protocols: ['https'],
    });
    expect(given).toMatchObject({ HOME: '/h', GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'https' });
    expect(given).not.toHaveProperty('GIT_DIR');
    expect(given).not.toHaveProperty('git_trace');
    expect(given).not.toHaveProperty('SSH_ASKPASS');
  });
});
