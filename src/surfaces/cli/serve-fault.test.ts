// What `serve` refuses, and that no address is shown (C).
import { expect, test } from 'vitest';
import { createCommandWorld } from './fixtures/command-world.ts';
import type { OptionName } from './options.ts';
import { findServeCommandFault } from './serve-fault.ts';

const PLAIN = createCommandWorld().context;

function faultOf(values: Partial<Record<OptionName, readonly string[]>>, variables: Record<string, string> = {}) {
  const databaseUrl = values['database-url']?.[0] ?? variables.DATABASE_URL;
  const given = { databaseUrl, allowHosts: values['allow-host'] ?? [], trustProxy: values['trust-proxy'] ?? [] };
  const { settings } = createCommandWorld({ given }).context;
  const map = new Map(Object.entries(values) as [OptionName, readonly string[]][]);
  return findServeCommandFault({ values: map, settings, environment: { ...PLAIN.environment, variables } });
}

test.each([
  [
    { 'database-url': ['mysql://u:secret@h/d'] },
    {},
    2,
    'Cannot use the value of --database-url: it is not the address of a PostgreSQL',
  ],
  [{ 'database-url': ['foo-secret'] }, {}, 2, 'Cannot use the value of --database-url'],
  [{}, { DATABASE_URL: 'secret' }, 1, 'Cannot use DATABASE_URL'],
  [
    {},
    { REPERTOIRE_AI_BASE_URL: 'secret' },
    1,
    'Cannot use REPERTOIRE_AI_BASE_URL: it is not an http or https address',
  ],
  [{}, { REPERTOIRE_AI_BASE_URL: 'ftp://secret' }, 1, 'Cannot use REPERTOIRE_AI_BASE_URL'],
  [
    { 'allow-host': ['ok.example', 'http://x/secret'] },
    {},
    2,
    'Cannot use the value of --allow-host: it is not a name alone; write it like x',
  ],
  [{ 'allow-host': ['a b secret'] }, {}, 2, 'write it like skills.example.com'],
  [
    { 'trust-proxy': ['loopback', 'secret.example'] },
    {},
    2,
    'Cannot use the value of --trust-proxy: it is neither an address nor a range; write it like 10.0.0.0/8,',
  ],
  [{ 'trust-proxy': ['0.0.0.0/0'] }, {}, 2, '--trust-proxy: it means every address'],
])('%j with %j is refused with %i (C)', (values, variables, code, sentence) => {
  const fault = faultOf(values, variables);
  expect(fault).toEqual({ code, sentence: expect.stringContaining(sentence) });
  expect(fault?.sentence).not.toContain('secret');
});

test.each([
  [{}, {}],
  [{ 'database-url': ['postgres://u:p@h:5432/d'] }, {}],
  [{ 'database-url': ['PostgreSQL:///d?host=/run/postgresql'] }, {}],
  [{}, { REPERTOIRE_AI_BASE_URL: 'http://127.0.0.1:11434/v1' }],
  [{}, { REPERTOIRE_AI_BASE_URL: '' }],
  [{ 'allow-host': ['skills.example.com', 'x:8080', '[::1]', '2001:db8::1', 'my_host', '10.0.0.1'] }, {}],
  [{ 'trust-proxy': ['10.0.0.0/8', 'fd00::/8', '192.0.2.7', '::1', 'loopback'] }, {}],
])('%j with %j is fine (C)', (values, variables) => {
  expect(faultOf(values, variables)).toBeUndefined();
});

test('--no-auth is refused with a public address, whatever the server itself listens on (H5)', () => {
  const publicUrl = 'https://skills.example.com';
  const { settings, environment } = createCommandWorld({ given: { noAuth: true, publicUrl } }).context;
  expect(findServeCommandFault({ values: new Map(), settings, environment })).toEqual({
    code: 2,
    sentence: 'Option --no-auth cannot be combined with a public address: leave one of them out',
  });
});

test('--no-auth is refused where others can reach the address (H5)', () => {
  const { settings, environment } = createCommandWorld({ given: { noAuth: true, host: '0.0.0.0' } }).context;
  expect(findServeCommandFault({ values: new Map(), settings, environment })).toEqual({
    code: 2,
    sentence:
      'Option --no-auth cannot be combined with an address that others can reach: leave one of them out, or use the host 127.0.0.1',
  });
});
