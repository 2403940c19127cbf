// Speaks the few flags of curl that the documentation uses, where a machine has no curl.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
    request: { type: 'string', short: 'X' },
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
  },
});
const headers = (values.header ?? []).map((line) => line.split(/:\s*/, 2));
const method = values.request ?? (values.data === undefined ? 'GET' : 'POST');
const body = values.data?.startsWith('@') ? readFileSync(values.data.slice(1)) : values.data;
const response = await fetch(positionals[0] ?? '', { method, headers, body });
process.stdout.write(await response.text());
process.exitCode = response.ok ? 0 : 22;
