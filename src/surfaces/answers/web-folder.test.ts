// The built pages on disk: read when they are asked for, and no hindrance where there are none.
import { expect, test } from 'vitest';
import { createSkillWorld } from '../../catalog/fixtures/skill-world.ts';
import { openWebFolder } from './web-folder.ts';

test('every file has the address that its path makes, without the app and maps', () => {
  const world = createSkillWorld();
  for (const path of ['index.html', 'assets/a.js', 'assets/a.js.map', 'assets/deep/b.css', 'skills-app.html']) {
    world.write(`web/${path}`, path);
  }
  for (const directory of [world.at('web'), `${world.at('web')}/`]) {
    const pages = openWebFolder(directory).readPages();
    expect([...pages.keys()].sort()).toEqual(['/assets/a.js', '/assets/deep/b.css', '/index.html']);
    expect(pages.get('/assets/a.js')?.toString()).toBe('assets/a.js');
  }
});

test('a link leads nowhere', () => {
  const world = createSkillWorld();
  world.write('secret', 'secret');
  world.link('web/secret', world.at('secret'));
  expect([...openWebFolder(world.at('web')).readPages()]).toEqual([]);
});

test('where nothing was built there is nothing', () => {
  const folder = openWebFolder(createSkillWorld().at('web'));
  expect([folder.hasApp(), folder.readApp(), [...folder.readPages()]]).toEqual([false, undefined, []]);
});

test('whether there is an app is looked at once, and its text each time', () => {
  const world = createSkillWorld();
  const folder = openWebFolder(world.at('web'));
  world.write('web/skills-app.html', 'first');
  expect([folder.hasApp(), folder.readApp()]).toEqual([true, 'first']);
  world.write('web/skills-app.html', 'second');
  expect(folder.readApp()).toBe('second');
  world.remove('web');
  expect([folder.hasApp(), folder.readApp()]).toEqual([true, undefined]);
});

test('what is there and cannot be read is a fault, not an absence', () => {
  const world = createSkillWorld();
  world.write('web/skills-app.html/file', '');
  world.write('file', '');
  expect(() => openWebFolder(world.at('web')).readApp()).toThrow('EISDIR');
  expect(() => openWebFolder(world.at('file')).readPages()).toThrow('ENOTDIR');
});
