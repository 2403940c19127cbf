// Paths and methods to routes: exactly those of the contract.
import { expect, test } from 'vitest';
import { ROUTES } from './contract/routes.ts';
import { createRouter } from './router.ts';

const route = createRouter();

test.each([...ROUTES])('finds %s where the contract says (H2)', (id, { method, path }) => {
  const concrete = path.replace('{path}', 'a/b%20c').replace(/\{\w+\}/g, 'x');
  expect(route(method, concrete)).toMatchObject({ kind: 'route', id });
});

test('decodes the varying parts of a path, each by itself', () => {
  expect(route('GET', '/api/documents/My%20Skill%2Fx')).toMatchObject({ parts: ['My Skill/x'] });
  expect(route('GET', '/api/documents/%E6%97%A5/files/a/b%20c.md')).toMatchObject({ parts: ['日', 'a/b c.md'] });
});

test('an encoded slash is never a border between folders', () => {
  const found = route('GET', '/api/documents/x/files/a%2Fb');
  expect(found).toMatchObject({ kind: 'route', parts: ['x', 'a\0b'] });
});

test('HEAD goes where GET goes, and nowhere else', () => {
  expect(route('HEAD', '/api/problems')).toMatchObject({ id: 'listProblems' });
  expect(route('HEAD', '/api/openai/dispatch')).toEqual({ kind: 'wrong method', allow: 'POST' });
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'get', ''])(
  '%s is a wrong method for a list (H3)',
  (method) => {
    expect(route(method, '/api/documents')).toEqual({ kind: 'wrong method', allow: 'GET, HEAD' });
  },
);

test.each([
  '',
  '/',
  '/api',
  '/api/',
  '/api/documents/',
  '/api/documents//files/x',
  '/api/documents/x/files',
  '/api/documents/x/files/',
  '/api/documents/x/other',
  '/API/documents',
  '/api/typed-skills/x/invoke/y',
  '/constructor',
  '/api/__proto__',
])('%s is unknown', (path) => {
  expect(route('GET', path)).toEqual({ kind: 'unknown' });
});

test.each(['/api/documents/%', '/api/documents/%zz', '/api/documents/%ff', '/api/documents/x/files/%c0%ae'])(
  '%s is no encoding',
  (path) => {
    expect(route('GET', path)).toEqual({ kind: 'bad encoding' });
  },
);
