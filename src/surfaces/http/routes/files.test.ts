// Files of a document: exact bytes, harmless in a browser, and nothing that is not in the manifest (H2).
import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { createSkillWorld, skillText } from '../../../catalog/fixtures/skill-world.ts';
import { openApiWorld } from '../fixtures/api-world.ts';

async function openFiles() {
  const world = createSkillWorld();
  world.skill('root/a');
  world.write('root/a/references/guide one.md', '# Guide\n');
  world.write('root/a/logo.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 255));
  world.write('root/a/page.html', '<script>alert(1)</script>');
  world.write('root/a/picture.svg', '<svg onload="alert(1)"/>');
  world.write('root/a/run.js', 'alert(1)');
  world.write('root/a/feed.xml', '<x/>');
  world.write('root/a/.hidden', 'dot');
  world.write('secret.txt', 'secret');
  return { world, ...(await openApiWorld(world)) };
}

test('gives the bytes with their media type and a tag of them (H2)', async () => {
  const { fetch } = await openFiles();
  const png = await fetch('/api/documents/A/files/logo.png');
  expect(png.status).toBe(200);
  expect([...png.bytes]).toEqual([0x89, 0x50, 0x4e, 0x47, 0, 255]);
  expect(png.headers['content-type']).toBe('image/png');
  expect(png.headers.etag).toBe(`"${createHash('sha256').update(png.bytes).digest('hex')}"`);
  const guide = await fetch('/api/documents/a/files/references/guide%20one.md');
  expect(guide.headers['content-type']).toBe('text/markdown; charset=utf-8');
  expect(guide.text).toBe('# Guide\n');
  expect((await fetch('/api/documents/a/files/.hidden')).text).toBe('dot');
});

test('looks the one file up, and goes through no list of all', async () => {
  const { fetch, repertoire } = await openFiles();
  const listed = vi.spyOn(repertoire, 'manifestOf');
  for (const path of ['logo.png', 'SKILL.md'])
    expect((await fetch(`/api/documents/a/files/${path}`)).status, path).toBe(200);
  expect(listed).not.toHaveBeenCalled();
});

test.each(['logo.png', 'page.html', 'references/guide%20one.md'])('%s can do nothing in a browser', async (path) => {
  const { headers } = await (await openFiles()).fetch(`/api/documents/a/files/${path}`);
  expect(headers['content-security-policy']).toBe("sandbox; default-src 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('private, no-cache');
});

test.each([
  ['page.html', 'attachment'],
  ['picture.svg', 'attachment'],
  ['run.js', 'attachment'],
  ['feed.xml', 'attachment'],
  ['logo.png', undefined],
  ['SKILL.md', undefined],
])('%s is saved, not shown, where a browser would run it: %s', async (path, disposition) => {
  const { fetch } = await openFiles();
  expect((await fetch(`/api/documents/a/files/${path}`)).headers['content-disposition']).toBe(disposition);
});

test('whoever has it is told that it is the same', async () => {
  const { fetch } = await openFiles();
  const { headers } = await fetch('/api/documents/a/files/logo.png');
  const again = await fetch('/api/documents/a/files/logo.png', { headers: { 'If-None-Match': headers.etag ?? '' } });
  expect(again).toMatchObject({ status: 304, text: '' });
});

test('SKILL.md has that address under any spelling on disk, and is recorded as a load (R1, D9)', async () => {
  const world = createSkillWorld();
  world.skill('root/a', { file: 'skill.MD' });
  world.write('root/a/other.md', 'x');
  const { fetch, loads, files } = await openApiWorld(world);
  expect((await fetch('/api/documents/a/files/SKILL.md')).text).toBe(skillText('a'));
  await fetch('/api/documents/a/files/other.md');
  expect(loads).toMatchObject([{ skillName: 'a', surface: 'api' }]);
  const digest = expect.stringContaining('sha256:');
  expect(files).toMatchObject([{ skillName: 'a', surface: 'api', path: 'other.md', digest }]);
});

const VARIANTS = [
  ...[
    '..',
    '.',
    '../../secret.txt',
    '..%2f..%2fsecret.txt',
    '%2e%2e/%2e%2e/secret.txt',
    '%2e%2e%2f%2e%2e%2fsecret.txt',
  ],
  ...['..%5c..%5csecret.txt', '..\\..\\secret.txt', 'references/../../../secret.txt', './SKILL.md', 'SKILL.md/'],
  ...[
    'SKILL.md%00',
    '%00',
    'SKILL.md%00.png',
    '/etc/passwd',
    '%2fetc%2fpasswd',
    'file:///etc/passwd',
    '....//secret.txt',
  ],
  ...[
    'references',
    'references%2fguide%20one.md',
    'REFERENCES/guide%20one.md',
    '%252e%252e%252fsecret.txt',
    '~',
    '$HOME',
  ],
  ...['C:%5csecret.txt', '%c2%ae', '__proto__', 'constructor'],
];

test.each(VARIANTS)('%s is 404 and leaks nothing', async (path) => {
  const { fetch, world } = await openFiles();
  const { status, text } = await fetch(`/api/documents/a/files/${path}`);
  expect(status).toBe(404);
  expect(text).not.toContain(world.path);
  expect(text).not.toContain('secret\n');
});

test('a file of an unknown document is 404', async () => {
  const { fetch } = await openFiles();
  expect((await fetch('/api/documents/nope/files/SKILL.md')).json.failure_message).toBe(
    'Resource not found: document "nope"',
  );
});
