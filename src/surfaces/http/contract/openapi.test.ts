// The description of the API: valid for a validator that is not ours, and complete (H2).
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.ts';
import { ROUTES } from './routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test walks through JSON of every shape.
const described = JSON.parse(JSON.stringify(openApiDocument('1.2.3'))) as any;

test('is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(described))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  expect(described.info.version).toBe('1.2.3');
});

test('every route of the contracts is in it (H2)', () => {
  expect(Object.keys(described.paths).sort()).toEqual(
    [
      ...['/api/documents', '/api/documents/{name}', '/api/documents/{name}/files/{path}', '/api/problems'],
      ...['/api/search', '/api/typed-skills', '/api/typed-skills/{name}', '/api/typed-skills/{name}/invoke'],
      ...['/api/invocations', '/api/invocations/{id}', '/api/loads', '/api/stats'],
      ...['/api/activity', '/api/activity/choices', '/api/uses', '/api/uses/{name}'],
      ...[
        '/api/session',
        '/api/me',
        '/api/overview',
        '/api/events',
        '/api/agents',
        '/api/agents/{name}',
        '/api/clients',
        '/api/clients/{id}',
      ],
      ...['/api/users', '/api/users/{email}/grant', '/api/users/{email}/ungrant', '/api/hosts', '/api/connections'],
      ...['/api/sources', '/api/sources/check'],
      ...['/api/trail', '/api/runs', '/api/runs/waiting', '/api/schedules'],
      '/api/upkeep',
      ...['/api/invocations/{id}/approve', '/api/invocations/{id}/reject'],
      ...['/.well-known/agent-skills/index.json', '/.well-known/agent-skills/{name}/{file}'],
      ...['/api/library', '/api/library/{name}', '/api/library/{name}/versions', '/api/library/{name}/diff'],
      ...['/api/library/{name}/versions/{digest}', '/api/library/{name}/versions/{digest}/approve'],
      ...[
        '/api/library/{name}/versions/{digest}/reject',
        '/api/library/{name}/rollback',
        '/api/library/{name}/withdraw',
        '/api/library/{name}/check',
        '/api/review/policy',
      ],
      ...['/api/openai/tools', '/api/openai/dispatch', '/health', '/ready', '/metrics', '/api/openapi.json'],
    ].sort(),
  );
});

test.each([...ROUTES])('%s has what a reader needs', (id, { method, path, access }) => {
  const operation = described.paths[path][method.toLowerCase()];
  expect(operation).toMatchObject({ operationId: id, summary: expect.any(String), tags: [expect.any(String)] });
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const inPath = operation.parameters.filter((each: { in: string }) => each.in === 'path');
  expect(inPath.map((each: { name: string }) => each.name)).toEqual(named);
  for (const parameter of operation.parameters) expect(parameter.description).toEqual(expect.any(String));
  const statuses = Object.keys(operation.responses);
  expect(statuses).toEqual(expect.arrayContaining(['403', '500', ...(access.who === 'anyone' ? [] : ['401', '429'])]));
  expect(operation.security).toEqual(access.who === 'anyone' ? [] : undefined);
});

test('every reference leads somewhere, and every named schema is used', () => {
  const text = JSON.stringify(described);
  const used = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name));
  expect([...used].sort()).toEqual(Object.keys(described.components.schemas).sort());
});

test('limits are described with their range and their usual value', () => {
  const { parameters } = described.paths['/api/search'].get;
  expect(parameters).toMatchObject([
    { name: 'q', required: true, schema: { type: 'string' } },
    { name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 50, default: 5 } },
  ]);
  expect(parameters[1].required).toBeUndefined();
});
