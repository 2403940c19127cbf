// Hostile repositories: each runs nothing, leaves nothing outside, and ends in a clear sentence (S5).
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import {
  hasGit,
  type SourceWorld,
  skillText,
  type TestRepository,
  type TreeRow,
} from '../../sources/fixtures/source-world.ts';
import { expectOutcome, lost, type Outcome, withWorld } from './fixtures/hostile-source.ts';

const GOOD = { 'good/SKILL.md': skillText('good') } as const;
const file = (name: TreeRow['name'], content = 'x'): TreeRow => ({ mode: '100644', name, content });
const folder = (name: string, ...rows: readonly TreeRow[]): TreeRow => ({ mode: '40000', name, rows });
const text = (name: string): TreeRow => file('SKILL.md', skillText(name));
const good = folder('good', text('good'));

interface RepositoryCase {
  readonly make: (repository: TestRepository, world: SourceWorld) => void;
  readonly outcome: Outcome;
  readonly words?: readonly string[];
}

/** Leaves a mark where it ran. */
const evil = (world: SourceWorld) => ({ script: `#!/bin/sh\ntouch ${world.at('ran')}\n` });
const evilPath = (world: SourceWorld) => world.write('evil.sh', evil(world));
const HOOKS = [
  ...['post-checkout', 'post-merge', 'pre-receive', 'update', 'post-update', 'post-receive', 'reference-transaction'],
  ...['pre-auto-gc', 'post-index-change', 'fsmonitor-watchman', 'proc-receive', 'push-to-checkout', 'post-commit'],
];
const only = { taken: ['good'] } as const;

const configured =
  (...settings: readonly string[]) =>
  (repository: TestRepository, world: SourceWorld): void => {
    repository.commit(GOOD);
    const script = evilPath(world);
    for (const name of settings) repository.git('config', name, script);
  };

const repositories: Readonly<Record<string, RepositoryCase>> = {
  'hooks in the repository': {
    make: (repository, world) => {
      repository.commit(GOOD);
      for (const name of HOOKS) repository.write({ [`.git/hooks/${name}`]: evil(world) });
    },
    outcome: only,
  },
  'a folder of hooks': {
    make: (repository, world) => {
      repository.commit(GOOD);
      for (const name of HOOKS) world.write(`hooks/${name}`, evil(world));
      repository.git('config', 'core.hooksPath', world.at('hooks'));
    },
    outcome: only,
  },
  'hooks in the template of new repositories': {
    make: (repository, world) => {
      repository.commit(GOOD);
      for (const name of HOOKS) world.write(`template/hooks/${name}`, evil(world));
      world.write('home/.gitconfig', `[init]\n\ttemplateDir = ${world.at('template')}\n`);
    },
    outcome: only,
  },
  'a file system monitor': { make: configured('core.fsmonitor'), outcome: only },
  'a hook for packing objects': { make: configured('uploadpack.packObjectsHook'), outcome: only },
  'programs for ssh, proxies, pagers and editors': {
    make: configured(
      'core.sshCommand',
      'core.gitProxy',
      'core.pager',
      'core.editor',
      'core.askPass',
      'credential.helper',
    ),
    outcome: only,
  },
  'aliases for commands': { make: configured('alias.fetch', 'alias.ls-tree', 'alias.cat-file'), outcome: only },
  'a command for alternate refs': { make: configured('core.alternateRefsCommand'), outcome: only },
  'another upload-pack for its remotes': {
    make: configured('remote.origin.uploadpack', 'remote.origin.receivepack'),
    outcome: only,
  },
  'filters in its attributes': {
    make: (repository, world) => {
      repository.commit({ ...GOOD, '.gitattributes': '* filter=evil diff=evil merge=evil\n' });
      for (const name of ['clean', 'smudge', 'process'])
        repository.git('config', `filter.evil.${name}`, evilPath(world));
      repository.git('config', 'diff.evil.textconv', evilPath(world));
    },
    outcome: only,
  },
  'a submodule with a command for its address': {
    make: (repository, world) => {
      repository.commit({
        ...GOOD,
        '.gitmodules': `[submodule "x"]\n\tpath = good/x\n\turl = ext::sh -c ${evilPath(world)}\n\tupdate = !${world.at('evil.sh')}\n`,
      });
      const id = repository.git('rev-parse', 'HEAD');
      repository.git('update-index', '--add', '--cacheinfo', `160000,${id},good/x`);
      repository.git('commit', '--quiet', '-m', 'submodule');
    },
    outcome: lost('source-left-out'),
  },
  'files in LFS': {
    make: (repository) =>
      void repository.commit({
        ...GOOD,
        'good/big.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`,
        '.gitattributes': '*.bin filter=lfs\n',
        '.lfsconfig': '[lfs]\n\turl = http://127.0.0.1:9/x\n',
      }),
    outcome: lost('source-left-out'),
  },
  'a link to a file of the machine': {
    make: (repository) =>
      void repository.commit({ ...GOOD, 'bad/SKILL.md': skillText('bad'), 'bad/passwd': { link: '/etc/passwd' } }),
    outcome: lost('source-link-leaves'),
  },
  'a link to another part of the repository': {
    make: (repository) =>
      void repository.commit({ ...GOOD, 'bad/SKILL.md': skillText('bad'), 'bad/x': { link: '../good/SKILL.md' } }),
    outcome: lost('source-link-leaves'),
  },
  'a SKILL.md that is a link to the machine': {
    make: (repository) => void repository.commit({ ...GOOD, 'bad/SKILL.md': { link: '/etc/passwd' } }),
    outcome: lost('source-link-leaves'),
  },
  'a chain of links that leaves the skill at its end': {
    make: (repository) =>
      void repository.commit({
        ...GOOD,
        'bad/SKILL.md': skillText('bad'),
        'bad/a': { link: 'b' },
        'bad/b': { link: 'c' },
        'bad/c': { link: '../../../../etc/passwd' },
      }),
    outcome: lost('source-link-leaves'),
  },
  'links in a circle': {
    make: (repository) =>
      void repository.commit({ 'good/SKILL.md': skillText('good'), 'good/a': { link: 'b' }, 'good/b': { link: 'a' } }),
    outcome: { taken: ['good'], problems: ['source-left-out', 'source-left-out'] },
  },
  'a link with a target of a megabyte': {
    make: (repository) =>
      void repository.commitRows([
        folder('bad', text('bad'), { mode: '120000', name: 'x', content: '../'.repeat(400_000) }),
        good,
      ]),
    outcome: lost('source-link-leaves'),
  },
  'two names that differ in letter case': {
    make: (repository) =>
      void repository.commitRows([folder('bad', file('NOTES.md'), text('bad'), file('notes.md')), good]),
    outcome: lost('source-bad-name'),
  },
  'two folders that differ in letter case': {
    make: (repository) => void repository.commitRows([folder('Bad', text('bad')), folder('bad', text('bad')), good]),
    outcome: { taken: ['good'], problems: ['source-bad-name', 'source-bad-name'] },
  },
  'two names that differ in how an accent is written': {
    make: (repository) =>
      void repository.commitRows([
        folder('bad', text('bad'), file('re\u0301sume\u0301'), file('r\u00e9sum\u00e9')),
        good,
      ]),
    outcome: lost('source-bad-name'),
  },
  'one name twice': {
    make: (repository) =>
      void repository.commitRows([folder('bad', text('bad'), file('a', '1'), file('a', '2')), good]),
    outcome: lost('source-bad-name'),
  },
  'a file and a folder of one name': {
    make: (repository) =>
      void repository.commitRows([folder('bad', text('bad'), file('a'), folder('a', file('b'))), good]),
    outcome: lost('source-bad-name'),
  },
  'a name that leads up': {
    make: (repository) =>
      void repository.commitRows([folder('bad', folder('..', folder('..', file('ran'))), text('bad')), good]),
    outcome: lost('source-bad-name'),
  },
  'a name that is a whole path': {
    make: (repository) => void repository.commitRows([folder('bad', file('/tmp/ran'), text('bad')), good]),
    outcome: lost('source-bad-name'),
  },
  'a name with a path that leads up in it': {
    make: (repository) => void repository.commitRows([folder('bad', file('../../ran'), text('bad')), good]),
    outcome: lost('source-bad-name'),
  },
  'a repository inside a skill': {
    make: (repository) =>
      void repository.commitRows([
        folder('bad', folder('.git', file('config', '[core]\nfsmonitor=x')), text('bad')),
        good,
      ]),
    outcome: lost('source-bad-name'),
  },
  'a repository inside a skill, in capitals': {
    make: (repository) =>
      void repository.commitRows([folder('bad', folder('.GIT', file('config')), text('bad')), good]),
    outcome: lost('source-bad-name'),
  },
  'a name with a backslash': {
    make: (repository) => void repository.commitRows([folder('bad', text('bad'), file('..\\ran')), good]),
    outcome: lost('source-bad-name'),
  },
  'a name with an escape sequence': {
    make: (repository) => void repository.commitRows([folder('bad', text('bad'), file('\u001b[2Jx')), good]),
    outcome: lost('source-bad-name'),
  },
  'a name with an escape sequence of one character': {
    make: (repository) => void repository.commitRows([folder('bad', text('bad'), file('x\u009b2J')), good]),
    outcome: lost('source-bad-name'),
  },
  'a folder with an escape sequence of one character': {
    make: (repository) => void repository.commitRows([folder('bad\u009b2J', text('bad')), good]),
    outcome: lost('source-bad-name'),
  },
  'a name with a line break': {
    make: (repository) => void repository.commitRows([folder('bad', text('bad'), file('x\ny')), good]),
    outcome: lost('source-bad-name'),
  },
  'a name that is no UTF-8': {
    make: (repository) =>
      void repository.commitRows([folder('bad', text('bad'), file(Buffer.from([0xff, 0xfe]))), good]),
    outcome: lost('source-bad-name'),
  },
  'a name of 300 characters': {
    make: (repository) => void repository.commitRows([folder('bad', text('bad'), file('n'.repeat(300))), good]),
    outcome: lost('source-bad-name'),
  },
  'a device': {
    make: (repository) =>
      void repository.commitRows([folder('bad', text('bad'), { mode: '60000', name: 'disk', content: 'x' }), good]),
    outcome: lost('source-bad-file'),
  },
  'a folder of a skill with a name that leads up': {
    make: (repository) => void repository.commitRows([folder('..', text('bad')), good]),
    outcome: lost('source-bad-name'),
  },
  'more than 512 MB': {
    make: (repository) => {
      const id = repository.gitWith(Buffer.alloc(60 * 1024 * 1024), 'hash-object', '-w', '--stdin');
      const rows = Array.from({ length: 10 }, (_, index): TreeRow => ({ mode: '100644', name: `f${index}`, id }));
      repository.commitRows([good, folder('huge', ...rows)]);
    },
    outcome: { refused: /more than 512 MB/ },
  },
  'more than 10,000 files': {
    make: (repository) => {
      const id = repository.gitWith('x', 'hash-object', '-w', '--stdin');
      const rows = Array.from(
        { length: 10_000 },
        (_, index): TreeRow => ({ mode: '100644', name: `f${10_000 + index}`, id }),
      );
      repository.commitRows([folder('all', ...rows), good]);
    },
    outcome: { refused: /more than 10000 files/ },
  },
  'objects that lie in another repository': {
    make: (repository, world) => {
      const other = world.repository('victim');
      const id = other.gitWith('secret', 'hash-object', '-w', '--stdin');
      repository.write({ '.git/objects/info/alternates': `${other.path}/.git/objects\n` });
      repository.commitRows([folder('good', text('good'), { mode: '100644', name: 'stolen', id })]);
    },
    outcome: { refused: /borrows objects/ },
  },
  'objects that lie elsewhere, by a command': {
    make: (repository, world) => {
      repository.commitRows([folder('good', text('good'), { mode: '100644', name: 'far', id: 'b'.repeat(40) })]);
      repository.git('config', 'core.repositoryFormatVersion', '1');
      repository.git('config', 'extensions.partialClone', 'far');
      repository.git('config', 'remote.far.url', world.path);
      repository.git('config', 'remote.far.promisor', 'true');
      repository.git('config', 'remote.far.uploadpack', evilPath(world));
    },
    outcome: { refused: /partial clone/ },
  },
  'an object that is missing': {
    make: (repository) =>
      void repository.commitRows([folder('good', text('good'), { mode: '100644', name: 'gone', id: 'b'.repeat(40) })]),
    outcome: { refused: /Cannot add/ },
  },
  'an object that was replaced by another': {
    make: (repository) => {
      repository.commit(GOOD);
      const other = repository.gitWith(skillText('replaced'), 'hash-object', '-w', '--stdin');
      repository.git('replace', repository.git('rev-parse', 'HEAD:good/SKILL.md'), other);
    },
    outcome: only,
  },
  'a damaged object': {
    make: (repository) => {
      repository.commit(GOOD);
      const id = repository.git('rev-parse', 'HEAD:good/SKILL.md');
      const path = join(repository.path, '.git/objects', id.slice(0, 2), id.slice(2));
      rmSync(path, { force: true });
      writeFileSync(path, 'damaged');
    },
    outcome: { refused: /Cannot add/ },
  },
  'no commit at all': { make: () => undefined, outcome: { refused: /no commit yet/ } },
  'no skill at all': {
    make: (repository) => void repository.commit({ 'README.md': 'x' }),
    outcome: { refused: /has no skill/ },
  },
  'a .git that leads elsewhere': {
    make: (repository, world) => {
      rmSync(join(repository.path, '.git'), { recursive: true });
      repository.write({ '.git': `gitdir: ${world.at('nowhere')}\n` });
    },
    outcome: { refused: /Cannot add/ },
  },
  'a path that is not there': {
    make: (repository) => void repository.commit(GOOD),
    words: ['--path', 'nowhere'],
    outcome: { refused: /no folder "nowhere"/ },
  },
  'a path that is a pattern': {
    make: (repository) => void repository.commit(GOOD),
    words: ['--path', ':(glob)**'],
    outcome: { refused: /no folder/ },
  },
  'settings of git in the environment': {
    make: (repository, world) => {
      repository.commit(GOOD);
      Object.assign(world.variables, {
        GIT_SSH_COMMAND: evilPath(world),
        GIT_EXTERNAL_DIFF: world.at('evil.sh'),
        GIT_DIR: world.at('nowhere'),
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'core.fsmonitor',
        GIT_CONFIG_VALUE_0: world.at('evil.sh'),
        GIT_TRACE: world.at('trace'),
      });
    },
    outcome: only,
  },
};

describe.skipIf(!hasGit)('a repository with', () => {
  test.concurrent.each(Object.entries(repositories))('%s (S5)', (_name, { make, outcome, words = [] }) =>
    withWorld(async (world) => {
      const repository = world.repository('origin');
      make(repository, world);
      await expectOutcome(world, outcome, repository.path, ...words);
    }),
  );
});
