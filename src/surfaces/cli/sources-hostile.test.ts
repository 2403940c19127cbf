// Hostile names, indexes and archives: each starts nothing, leaves nothing outside, and ends in a clear sentence (S5).
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { pax, type TarRow, tar, tarGz, type ZipRow, zip } from '../../sources/fixtures/archives.ts';
import { type Answers, entryOf, INDEX, indexOf, startIndexServer } from '../../sources/fixtures/index-server.ts';
import { skillText } from '../../sources/fixtures/source-world.ts';
import { add, expectOutcome, lost, type Outcome, withWorld } from './fixtures/hostile-source.ts';
import { runHere } from './fixtures/run-here.ts';

const credential = /it has a credential/;
const refusedNames: readonly (readonly [words: readonly string[], refused: RegExp])[] = [
  [['--', '--upload-pack=touch ran'], /begins with "-"/],
  [['--', '-oProxyCommand=x'], /begins with "-"/],
  [['origin\nother'], /control character/],
  [['ext::sh -c touch% ran'], /Cannot add/],
  [['fd::3'], /Cannot add/],
  [['git://example.com/x.git'], /no way to fetch/],
  [['ftp://example.com/x.git'], /no way to fetch/],
  [['http://example.com/x.git'], /this machine only/],
  [['http://example.com'], /this machine only/],
  [['http://127.0.0.1.example.com'], /this machine only/],
  [['https://user:secret@example.com/x.git'], credential],
  [['https://secret@example.com/x.git'], credential],
  [['https:secret:x@example.com/x.git'], credential],
  [['file:///srv/a%0Ab'], /control character/],
  [['https://:secret@example.com/x.git'], credential],
  [['ssh://git:secret@example.com/x.git'], credential],
  [['https://example.com/x.git?token=secret'], /query/],
  [['ssh://-oProxyCommand=touch/x.git'], /Cannot add/],
  [['git@-oProxyCommand=touch:x.git'], /Cannot add/],
  [['file://example.com/x'], /write file:/],
  [['https://github.com/owner/repo'], /github:owner\/repo/],
  [['github:owner/../other'], /write github:OWNER\/REPO/],
  [['github:-o/x'], /write github:OWNER\/REPO/],
  [['//user:secret@example.com/x.git'], credential],
  [['git@user:secret@example.com:x.git'], /Cannot add/],
  [['nowhere-at-all'], /there is no such directory$/m],
  [['owner/repo'], /there is no such directory; for a repository at GitHub write github:owner\/repo/],
  [['x', '--ref=-x'], /begins with "-"/],
  [['x', '--ref=--upload-pack=x'], /begins with "-"/],
  [['x', '--ref', 'a\u0007b'], /control character/],
  [['x', '--path=-x'], /begins with "-"/],
  [['x', '--path', '../up'], /no folder below/],
  [['x', '--path', '/etc'], /no folder below/],
  [['x', '--path', 'a\u0000b'], /control character/],
  [['https://example.com/a\u009bb.git'], /control character/],
  [['file:///srv/a%C2%85b'], /control character/],
  [['x', '--ref', 'a\u0085b'], /control character/],
  [['x', '--path', 'a\u009bb'], /control character/],
];

test.each(refusedNames)('refuses %j before git is started (S5)', (words, refused) =>
  withWorld(async (world) => {
    // A git that tells that it was started.
    world.write('bin/git', { script: `#!/bin/sh\ntouch ${world.at('ran')}\n` });
    Object.assign(world.variables, { PATH: world.at('bin') });
    await expectOutcome(world, { refused }, ...words);
    expect(JSON.stringify(await add(world, ...words))).not.toContain('secret');
  }),
);

test.each(['https:\\\\user:secret@example.com\\x.git', 'github:secret@owner/repo', 'user:secret@example.com:x.git'])(
  'says no credential of %s, which is in no lock (S1)',
  (typed) =>
    withWorld(async ({ home, project, variables }) => {
      for (const command of ['update', 'remove']) {
        const ended = await runHere([command, typed], { home, workingDirectory: project, variables });
        expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('[redacted]') });
        expect(ended.stderr).not.toContain('secret');
      }
    }),
);

const skill = (name = 'bad'): TarRow & ZipRow => ({ name: 'SKILL.md', content: skillText(name) });
const goodEntry = entryOf('good', skillText('good'), { type: 'skill-md' });
const badArchive = lost('source-bad-archive');

/** Beside a good skill, one that is served like this. */
const served =
  (bytes: Buffer, changes: Readonly<Record<string, unknown>> = {}) =>
  (): Answers => ({
    [INDEX]: indexOf([goodEntry, entryOf('bad', bytes, changes)]),
    '/a/good': skillText('good'),
    '/a/bad': bytes,
  });

const BIG = Buffer.alloc(64 * 1024 * 1024);

const indexes: Readonly<Record<string, readonly [answers: (origin: string) => Answers, outcome: Outcome]>> = {
  'a digest that lies': [served(tarGz([skill()]), { digest: `sha256:${'0'.repeat(64)}` }), badArchive],
  'a digest in capitals': [served(tarGz([skill()]), { digest: `sha256:${'A'.repeat(64)}` }), badArchive],
  'an archive at another origin': [served(tarGz([skill()]), { url: 'http://127.0.0.1:9/bad' }), badArchive],
  'an archive at an address with a credential': [
    (origin) => served(tarGz([skill()]), { url: origin.replace('//', '//user:secret@') })(),
    badArchive,
  ],
  'an archive in a file of the machine': [served(tarGz([skill()]), { url: 'file:///etc/passwd' }), badArchive],
  'an archive that is redirected to another origin': [
    () => ({
      ...served(tarGz([skill()]))(),
      '/a/bad': (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/x' }).end(),
    }),
    badArchive,
  ],
  'an archive that is redirected in a circle': [
    () => ({
      ...served(tarGz([skill()]))(),
      '/a/bad': (response) => response.writeHead(302, { location: '/a/bad' }).end(),
    }),
    badArchive,
  ],
  'an archive that is cut off': [served(tarGz([skill()]).subarray(0, 60)), badArchive],
  'a connection that breaks off': [
    () => ({
      ...served(tarGz([skill()]))(),
      '/a/bad': (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('x', () => response.destroy());
      },
    }),
    badArchive,
  ],
  'a name of a path': [served(tarGz([skill()]), { name: '../bad' }), badArchive],
  'a name like a part of every object': [served(tarGz([skill()]), { name: '__proto__' }), badArchive],
  'a name twice': [() => ({ [INDEX]: indexOf([goodEntry, goodEntry]), '/a/good': skillText('good') }), badArchive],
  'an unknown type': [served(tarGz([skill()]), { type: 'script' }), badArchive],
  'an entry that is none': [() => ({ [INDEX]: indexOf([goodEntry, null]), '/a/good': skillText('good') }), badArchive],
  'names that lead up': [served(tarGz([skill(), { name: '../../ran', content: 'x' }])), lost('source-bad-name')],
  'names of the whole machine': [served(tarGz([skill(), { name: '/tmp/ran', content: 'x' }])), lost('source-bad-name')],
  'long names that lead up': [
    served(tarGz([skill(), pax('../../ran'), { name: 'x', content: 'x' }])),
    lost('source-bad-name'),
  ],
  "long names of GNU's kind that lead up": [
    served(tarGz([skill(), { name: 'L', type: 'L', content: '../../ran\0' }, { name: 'x', content: 'x' }])),
    lost('source-bad-name'),
  ],
  'a link': [served(tarGz([skill(), { name: 'x', type: '2', link: '/etc/passwd' }])), badArchive],
  'a hard link': [served(tarGz([skill(), { name: 'x', type: '1', link: 'SKILL.md' }])), badArchive],
  'a device': [served(tarGz([skill(), { name: 'x', type: '4' }])), lost('source-bad-file')],
  'a pipe': [served(tarGz([skill(), { name: 'x', type: '6' }])), lost('source-bad-file')],
  'names that differ in letter case': [served(tarGz([skill(), { name: 'a' }, { name: 'A' }])), lost('source-bad-name')],
  'a size that is no number': [served(tarGz([{ ...skill(), size: '99999999999' }])), badArchive],
  'a size beyond every limit': [served(tarGz([{ ...skill(), size: '77777777777' }])), badArchive],
  'a skill in a folder': [served(tarGz([{ ...skill(), name: 'bad/SKILL.md' }])), badArchive],
  'a bomb': [
    served(tarGz([skill(), ...Array.from({ length: 9 }, (_, index): TarRow => ({ name: `b${index}`, content: BIG }))])),
    badArchive,
  ],
  'something that is no archive': [served(Buffer.from('hello')), badArchive],
  'something else that was packed': [served(gzipSync('hello')), badArchive],
  'an archive with damaged headers': [served(gzipSync(tar([skill()]).fill(7, 100, 130))), badArchive],
  'a zip with names that lead up': [
    served(zip([skill(), { name: '../../ran', content: 'x' }])),
    lost('source-bad-name'),
  ],
  'a zip with a link': [served(zip([skill(), { name: 'x', content: '/etc/passwd', mode: 0o120777 }])), badArchive],
  'a zip with a device': [served(zip([skill(), { name: 'x', mode: 0o060644 }])), lost('source-bad-file')],
  'a zip that is larger than it says': [served(zip([skill(), { name: 'x', content: BIG, size: 10 }])), badArchive],
  'a zip that says that it is huge': [
    served(zip([skill(), { name: 'x', content: 'x', size: 0x3fff_ffff }])),
    badArchive,
  ],
  'a zip with a password': [served(zip([{ ...skill(), flags: 1 }])), badArchive],
  'a zip that is cut off': [served(zip([skill()]).subarray(0, 90)), badArchive],
  'a SKILL.md that is no text': [
    served(tarGz([{ name: 'SKILL.md', content: Buffer.from([0xff, 0xfe, 0]) }])),
    lost('invalid-utf8'),
  ],
  'no index': [() => ({}), { refused: /no index at .*status 404/ }],
  'an index that is no JSON': [() => ({ [INDEX]: '<html>' }), { refused: /not the JSON/ }],
  'an index of another version': [() => ({ [INDEX]: indexOf([], 'x/9.9.9/y') }), { refused: /0\.2\.0/ }],
  'an index of megabytes': [() => ({ [INDEX]: Buffer.alloc(9 * 1024 * 1024, 32) }), { refused: /larger than 8 MB/ }],
  'an index that is redirected to another origin': [
    () => ({ [INDEX]: (response) => response.writeHead(301, { location: 'http://127.0.0.1:9/' }).end() }),
    { refused: /redirects to another origin/ },
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
