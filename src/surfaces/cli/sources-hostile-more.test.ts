// More hostile repositories, indexes and archives: settings that include others, histories that lie, private addresses, bombs (S5).
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, test } from 'vitest';
import { makeFifo } from '../../../tests/support/make-fifo.ts';
import { type TarRow, tar, tarGz, type ZipRow, zip } from '../../sources/fixtures/archives.ts';
import { type Answers, entryOf, INDEX, indexOf, startIndexServer } from '../../sources/fixtures/index-server.ts';
import {
  hasGit,
  type SourceWorld,
  skillText,
  type TestRepository,
  type TreeRow,
} from '../../sources/fixtures/source-world.ts';
import { expectOutcome, lost, type Outcome, withWorld } from './fixtures/hostile-source.ts';

const GOOD = { 'good/SKILL.md': skillText('good') } as const;
const only: Outcome = { taken: ['good'] };
const text = (name: string): TreeRow => ({ mode: '100644', name: 'SKILL.md', content: skillText(name) });
const good: TreeRow = { mode: '40000', name: 'good', rows: [text('good')] };

interface RepositoryCase {
  readonly make: (repository: TestRepository, world: SourceWorld) => void;
  readonly outcome: Outcome;
  readonly words?: readonly string[];
}

/** A file of settings that names a program in every place that git would run one. */
function evilSettings(world: SourceWorld): string {
  const script = world.write('evil.sh', { script: `#!/bin/sh\ntouch ${world.at('ran')}\n` });
  return world.write(
    'evil.config',
    `[core]\n\tfsmonitor = ${script}\n\tsshCommand = ${script}\n\talternateRefsCommand = ${script}\n[uploadpack]\n\tpackObjectsHook = ${script}\n[credential]\n\thelper = ${script}\n`,
  );
}

const repositories: Readonly<Record<string, RepositoryCase>> = {
  'settings that include others': {
    make: (repository, world) => {
      repository.commit(GOOD);
      repository.git('config', 'include.path', evilSettings(world));
    },
    outcome: only,
  },
  'settings that include others for its own folder': {
    make: (repository, world) => {
      repository.commit(GOOD);
      repository.git('config', `includeIf.gitdir:${repository.path}/.path`, evilSettings(world));
    },
    outcome: only,
  },
  'settings that include a partial clone': {
    make: (repository, world) => {
      repository.commit(GOOD);
      const file = world.write('partial.config', '[remote "far"]\n\tpromisor = true\n');
      repository.git('config', 'include.path', file);
    },
    outcome: { refused: /partial clone/ },
  },
  'settings that are damaged': {
    make: (repository) => {
      repository.commit(GOOD);
      repository.write({ '.git/config': '[core\n\u001b[2J' });
    },
    outcome: { refused: /Cannot add/ },
  },
  'a work tree elsewhere': {
    make: (repository, world) => {
      repository.commit(GOOD);
      repository.git('config', 'core.worktree', world.folder('victim'));
    },
    outcome: only,
  },
  'grafts in its history': {
    make: (repository) => {
      const first = repository.commit(GOOD);
      const second = repository.commit({ 'more.md': 'x' });
      repository.write({ '.git/info/grafts': `${first} ${second}\n${second}\n` });
    },
    outcome: only,
  },
  'a replaced commit': {
    make: (repository) => {
      const first = repository.commit({ ...GOOD, 'bad/SKILL.md': skillText('bad') });
      rmSync(join(repository.path, 'bad'), { recursive: true });
      const second = repository.commit(GOOD);
      repository.git('replace', second, first);
    },
    outcome: only,
  },
  'a .git that is a link to that of another repository': {
    make: (repository, world) => {
      const other = world.repository('other');
      other.commit(GOOD);
      rmSync(join(repository.path, '.git'), { recursive: true });
      symlinkSync(join(other.path, '.git'), join(repository.path, '.git'));
    },
    outcome: only,
  },
  'a HEAD that leads out of it': {
    make: (repository) => {
      repository.commit(GOOD);
      repository.write({ '.git/HEAD': 'ref: ../../../../../etc/passwd\n' });
    },
    outcome: { refused: /Cannot add/ },
  },
  'a tag of a folder': {
    make: (repository) => {
      repository.commit(GOOD);
      repository.git('tag', 'odd', repository.git('rev-parse', 'HEAD^{tree}'));
    },
    words: ['--ref', 'odd'],
    outcome: { refused: /is no commit, but a (?:tree|blob)/ },
  },
  'a tag of a file': {
    make: (repository) => {
      repository.commit(GOOD);
      repository.git('tag', 'odd', repository.git('rev-parse', 'HEAD:good/SKILL.md'));
    },
    words: ['--ref', 'odd'],
    outcome: { refused: /is no commit, but a (?:tree|blob)/ },
  },
  'settings that are a pipe': {
    make: (repository) => {
      repository.commit(GOOD);
      rmSync(join(repository.path, '.git/config'));
      makeFifo(join(repository.path, '.git/config'));
    },
    outcome: { refused: /are no file/ },
  },
  'a .git that leads to one with a pipe in it': {
    make: (repository, world) => {
      const other = world.repository('other');
      other.commit(GOOD);
      makeFifo(join(other.path, '.git/commondir'));
      rmSync(join(repository.path, '.git'), { recursive: true });
      repository.write({ '.git': `gitdir: ${join(other.path, '.git')}\n` });
    },
    outcome: { refused: /no git repository/ },
  },
  'folders that hold each other ten times over': {
    make: (repository) => {
      let tree = repository.gitWith('', 'hash-object', '-w', '-t', 'tree', '--stdin');
      const blob = repository.gitWith('x', 'hash-object', '-w', '--stdin');
      for (let level = 0; level < 10; level += 1) {
        const rows = Array.from({ length: 10 }, (_, index) =>
          level === 0 ? `100644 blob ${blob}\tf${index}` : `040000 tree ${tree}\td${index}`,
        );
        tree = repository.gitWith(`${rows.join('\n')}\n`, 'mktree');
      }
      repository.commitRows([{ mode: '40000', name: 'bomb', id: tree }, good]);
    },
    outcome: { refused: /more than/ },
  },
  'a ref that is an expression': {
    make: (repository) => void repository.commit(GOOD),
    words: ['--ref', 'HEAD@{0}^{/x}'],
    outcome: { refused: /no branch, tag or commit/ },
  },
  'a folder that is a link to a skill': {
    make: (repository) => void repository.commit({ ...GOOD, bad: { link: 'good' } }),
    outcome: only,
  },
  'a folder that is a link to the machine': {
    make: (repository) => void repository.commit({ ...GOOD, bad: { link: '/etc' } }),
    outcome: only,
  },
  'a submodule in the place of a skill': {
    make: (repository) => void repository.commitRows([{ mode: '160000', name: 'bad', id: 'c'.repeat(40) }, good]),
    outcome: only,
  },
  'a folder where a file should be': {
    make: (repository) =>
      void repository.commitRows([
        { mode: '40000', name: 'bad', rows: [{ mode: '40000', name: 'SKILL.md', rows: [text('x')] }] },
        good,
      ]),
    outcome: { taken: ['x', 'good'], problems: ['name-folder-mismatch'] },
  },
  'attributes that change text': {
    make: (repository) =>
      void repository.commit({
        ...GOOD,
        '.gitattributes': '* ident export-subst text eol=crlf\n',
      }),
    outcome: only,
  },
  'hooks and a monitor in the settings of the user': {
    make: (repository, world) => {
      repository.commit(GOOD);
      const script = world.write('hooks/reference-transaction', { script: `#!/bin/sh\ntouch ${world.at('ran')}\n` });
      world.write('home/.gitconfig', `[core]\n\tfsmonitor = ${script}\n\thooksPath = ${world.at('hooks')}\n`);
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

const skill = (): TarRow & ZipRow => ({ name: 'SKILL.md', content: skillText('bad') });
const goodEntry = entryOf('good', skillText('good'), { type: 'skill-md' });
const badArchive = lost('source-bad-archive');
const MEGABYTE = 1024 * 1024;

const served =
  (bytes: Buffer, changes: Readonly<Record<string, unknown>> = {}) =>
  (): Answers => ({
    [INDEX]: indexOf([goodEntry, entryOf('bad', bytes, changes)]),
    '/a/good': skillText('good'),
    '/a/bad': bytes,
  });

const at = (url: string) => served(tarGz([skill()]), { url });
const redirected = (location: string) => (): Answers => ({
  [INDEX]: (response) => response.writeHead(302, { location }).end(),
});
const many = (length: number): readonly TarRow[] => Array.from({ length }, (_, index) => ({ name: `f${index}` }));

/** What follows it is a file of this. */
const record = (key: string, value: string): TarRow => {
  const rest = ` ${key}=${value}\n`;
  return { name: 'x', type: 'x', content: `${rest.length + 2}${rest}` };
};

/** One packed megabyte that every row of the directory names: little to send, much to unpack. */
function overlapping(): Buffer {
  const whole = zip([skill(), { name: 'big0', content: Buffer.alloc(MEGABYTE) }]);
  const end = whole.length - 22;
  const start = whole.readUInt32LE(end + 16);
  const first = 46 + whole.readUInt16LE(start + 28);
  const row = whole.subarray(start + first, end);
  const rows = Array.from({ length: 600 }, (_, index) => {
    const copy = Buffer.from(row);
    copy.write(String(index % 10), copy.length - 1);
    return copy;
  });
  const tail = Buffer.from(whole.subarray(end));
  tail.writeUInt16LE(601, 8);
  tail.writeUInt16LE(601, 10);
  return Buffer.concat([whole.subarray(0, start + first), ...rows, tail]);
}

/** Its second name is two bytes that are no text; the sum in the header is that of those. */
function badlyNamed(): Buffer {
  const bytes = tar([skill(), { name: '\u007f\u007f', content: 'x' }]);
  const header = bytes.indexOf(Buffer.from([0x7f, 0x7f]));
  bytes.fill(0xff, header, header + 2);
  const sum = Number.parseInt(bytes.toString('latin1', header + 148, header + 154), 8) + 2 * (0xff - 0x7f);
  bytes.write(sum.toString(8).padStart(6, '0'), header + 148);
  return bytes;
}

const indexes: Readonly<Record<string, readonly [answers: (origin: string) => Answers, outcome: Outcome]>> = {
  'an archive at a private address': [at('http://10.0.0.1/bad'), badArchive],
  'an archive at the address of a cloud': [at('http://169.254.169.254/latest/meta-data'), badArchive],
  'an archive at an address without its scheme': [at('//127.0.0.1:9/bad'), badArchive],
  'an archive at an address with backslashes': [at('\\\\127.0.0.1:9\\bad'), badArchive],
  'an archive in its own address': [at('data:application/gzip;base64,H4sI'), badArchive],
  'an archive at a script': [at('javascript:1'), badArchive],
  'an address that is no text': [served(tarGz([skill()]), { url: { href: '/a/bad' } }), badArchive],
  'an index that is redirected to a private address': [
    redirected('http://10.0.0.1/'),
    { refused: /redirects to another origin/ },
  ],
  'an index that is redirected to a file': [
    redirected('file:///etc/passwd'),
    { refused: /redirects to another origin/ },
  ],
  'an index that never ends': [
    () => ({
      [INDEX]: (response) => {
        response.writeHead(200);
        const piece = Buffer.alloc(MEGABYTE, 32);
        const send = () => void (response.destroyed || response.write(piece, send));
        send();
      },
    }),
    { refused: /larger than 8 MB/ },
  ],
  'an index that wants to be asked in an hour': [
    () => ({ [INDEX]: (response) => response.writeHead(429, { 'retry-after': '3600' }).end() }),
    { refused: /status 429/ },
  ],
  'an index of a million lists': [
    () => ({ [INDEX]: `{"$schema":"/0.2.0/","skills":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}` }),
    { refused: /Cannot add/ },
  ],
  'an index of more skills than files may be': [
    () => ({ [INDEX]: indexOf(Array.from({ length: 10_001 }, () => goodEntry)) }),
    { refused: /more than 10000 skills/ },
  ],
  'a name with an escape sequence': [served(tarGz([skill()]), { name: '\u001b[2Jbad' }), badArchive],
  'a name of a megabyte': [served(tarGz([skill()]), { name: 'n'.repeat(MEGABYTE) }), badArchive],
  'more files than a source may have': [served(tarGz([skill(), ...many(10_001)])), badArchive],
  'a bomb of zeros alone': [served(gzipSync(Buffer.alloc(256 * MEGABYTE))), badArchive],
  'a bomb of two packed parts': [
    served(Buffer.concat([gzipSync(tar([skill()]).subarray(0, 1024)), gzipSync(Buffer.alloc(600 * MEGABYTE, 1))])),
    lost('source-bad-archive'),
  ],
  'a header of a megabyte': [
    served(tarGz([{ name: 'x', type: 'x', content: 'x'.repeat(MEGABYTE) }, skill()])),
    badArchive,
  ],
  'a sparse file': [served(tarGz([skill(), { name: 'x', type: 'S' }])), lost('source-bad-file')],
  'a sparse file in words': [served(tarGz([record('GNU.sparse.major', '1'), skill()])), badArchive],
  'one name for all of its files': [served(tarGz([{ ...record('path', 'SKILL.md'), type: 'g' }, skill()])), badArchive],
  'a folder that leads up': [served(tarGz([skill(), { name: '../x/', type: '5' }])), badArchive],
  'a folder of the whole machine': [served(tarGz([skill(), { name: '/tmp/ran/', type: '5' }])), badArchive],
  'a zip with a folder that leads up': [served(zip([skill(), { name: 'a/../../x/' }])), badArchive],
  'folders of its own': [
    served(tarGz([skill(), { name: 'scripts/', type: '5' }, { name: 'scripts/run.sh', content: 'x' }])),
    { taken: ['bad', 'good'] },
  ],
  'a character device': [served(tarGz([skill(), { name: 'x', type: '3' }])), lost('source-bad-file')],
  'a name that is no UTF-8': [served(gzipSync(badlyNamed())), lost('source-bad-name')],
  'a zip of many rows for one file': [served(overlapping()), badArchive],
  'a zip with a name of the whole machine': [served(zip([skill(), { name: '/tmp/ran' }])), lost('source-bad-name')],
  'a zip with names that differ in letter case': [
    served(zip([skill(), { name: 'a' }, { name: 'A' }])),
    lost('source-bad-name'),
  ],
};

describe('a server with', () => {
  test.each(Object.entries(indexes))('%s (S5)', (_name, [answers, outcome]) =>
    withWorld(async (world) => {
      const server = await startIndexServer(answers);
      try {
        await expectOutcome(world, outcome, server.origin);
      } finally {
        await server.close();
      }
    }),
  );
});
