// Commands of the documentation that install, build, or start an example: run by other tests, and not once more.

interface Elsewhere {
  readonly command: string;
  /** Who runs it. */
  readonly file: string;
  /** What that file holds when it does. */
  readonly holds: string;
}

const support = 'examples/engage-red-hat-support';

export const ranElsewhere: readonly Elsewhere[] = [
  { command: 'npm ci', file: '.ci/run', holds: 'npm ci' },
  { command: 'npm test', file: '.ci/run', holds: 'npm test' },
  { command: 'npm run build', file: 'tests/setup/program.ts', holds: "'run', '--silent', 'build'" },
  // It builds first: that part is left out there, because the tests have built already.
  { command: 'npm start', file: 'tests/support/started-by-npm.ts', holds: "'start', '--ignore-scripts'" },
  {
    command: `npx tsx ${support}/scripts/mcp-smoke-tests.ts`,
    file: `${support}/tests/smoke.test.ts`,
    holds: 'mcp-smoke-tests.ts',
  },
  {
    command: 'npx tsx examples/openai-loop/loop.ts',
    file: 'examples/openai-loop/loop.test.ts',
    holds: "new URL('loop.ts'",
  },
  {
    command: 'npx tsx examples/hono-app/main.ts',
    file: 'examples/hono-app/hono-app.test.ts',
    holds: "new URL('main.ts'",
  },
  {
    command: 'npx tsx examples/embedded/main.ts',
    file: 'examples/embedded/embedded.test.ts',
    holds: "new URL('main.ts'",
  },
  { command: 'npx tsx examples/payment/main.ts', file: 'examples/payment/killed.test.ts', holds: 'startProvider({' },
  {
    command: 'node dist/cli.js serve --config examples/payment/repertoire.config.ts',
    file: 'examples/payment/killed.test.ts',
    holds: "startServeProcess(['--config', config",
  },
  // The package of the snippets is made as these two leave one.
  { command: 'npm pkg set type=module', file: 'tests/support/snippet-package.ts', holds: '{ "type": "module" }' },
  { command: 'npm i -D @types/node', file: 'tests/support/snippet-package.ts', holds: "types: ['node']" },
  { command: 'npm pack', file: 'tests/support/packed-program.ts', holds: "['pack', " },
  // There into an empty folder, because a test changes nothing for the whole machine.
  { command: 'npm i -g ./repertoire-*.tgz', file: 'tests/package.test.ts', holds: 'installPacked(' },
  // Needs a registry for zod; the built package is packed and installed there.
  { command: 'npm i /path/to/repertoire zod', file: 'tests/package.test.ts', holds: 'installPacked(' },
];
