// Fields that are called like secrets and not marked are found at any depth (X1).
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { secret } from '../define/secret.ts';
import { createSchemaForm } from './schema-form.ts';
import { findUnmarkedSecrets } from './unmarked-secrets.ts';

function unmarkedIn(schema: unknown): readonly string[] {
  const form = createSchemaForm(schema, 'input');
  if (!form.ok) throw new Error(form.failure);
  return findUnmarkedSecrets(form.value.json);
}

describe('findUnmarkedSecrets() (X1)', () => {
  test('names every field, with its path', () => {
    const deep = z.object({ name: z.string(), apiKey: z.string().optional() });
    const schema = z.object({
      user: z.string(),
      password: z.string().min(8),
      servers: z.array(deep),
      other: z.union([deep, z.object({ auth_token: z.string() })]),
      byName: z.record(z.string(), deep),
    });
    expect(unmarkedIn(schema)).toEqual([
      'password',
      'servers[].apiKey',
      'other.apiKey',
      'other.auth_token',
      'byName.*.apiKey',
    ]);
  });

  test('says nothing of those that are marked, themselves or around or inside of them', () => {
    const schema = z.object({
      password: secret(z.string()),
      token: secret(z.string()).optional(),
      login: secret(z.object({ password: z.string() })),
      credentials: z.object({ user: z.string(), password: secret(z.string()) }),
    });
    expect(unmarkedIn(schema)).toEqual([]);
  });

  test.each([
    ['secret', { secret: true }],
    ['writeOnly', { writeOnly: true }],
    ['format', { format: 'password' }],
  ])('knows the mark %s of JSON Schema', (_mark, mark) => {
    const properties = { password: { type: 'string', ...mark } };
    expect(unmarkedIn({ type: 'object', properties })).toEqual([]);
  });

  test('says nothing of fields that hold no secret, whatever they are called', () => {
    const schema = z.object({
      has_password: z.boolean(),
      token_count: z.number(),
      secrets: z.number().int().nullable(),
      auth: z.enum(['none', 'basic']),
      password: z.boolean().nullish(),
      page_token: z.string(),
    });
    expect(unmarkedIn(schema)).toEqual([]);
  });

  test('comes to an end in a schema that holds itself', () => {
    const node = { type: 'object', properties: { pwd: { type: 'string' }, next: { $ref: '#/$defs/node' } } };
    const schema = { type: 'object', properties: { first: { $ref: '#/$defs/node' } }, $defs: { node } };
    expect(unmarkedIn(schema)).toEqual(['first.pwd']);
  });
});
