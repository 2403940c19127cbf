// The property tests with new seeds: the usual run takes the same one every time.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startVitest, type Vitest } from 'vitest/node';
import { wholeNumber } from '../../../bench/random.ts';
import type { FaultContext, FaultPart } from './fault-part.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const LONG_ENOUGH_MS = 150_000;

export const propertyFaults: FaultPart = async (context) => {
  const files = propertyTests();
  await context.check(`properties of ${files.length} test files, other seeds`, () =>
    tryFor(LONG_ENOUGH_MS, files, context),
  );
};

/** The test files that import tests/support/property.ts. */
function propertyTests(): readonly string[] {
  const paths = ['src', 'tests'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => join(root, folder, path)),
  );
  return paths.filter((path) => /from '.*\/support\/property\.ts'/.test(readFileSync(path, 'utf8')));
}

async function tryFor(ms: number, files: readonly string[], context: FaultContext): Promise<string> {
  const random = context.random();
  const started = performance.now();
  let rounds = 0;
  while (rounds === 0 || performance.now() - started < ms) {
    const seed = wholeNumber(random, 2 ** 31);
    context.progress(`properties, round ${++rounds}, PROPERTY_SEED=${seed}`);
    const failed = await failTwice(files, seed);
    if (failed.length > 0) throw new Error(`with PROPERTY_SEED=${seed}:\n${failed.join('\n')}`);
  }
  return `${rounds} seeds`;
}

/** A property fails with its seed every time; what fails once only was a wait on a busy machine. */
async function failTwice(files: readonly string[], seed: number): Promise<readonly string[]> {
  const failed = await runTests(files, seed);
  if (failed.size === 0) return [];
  const again = await runTests(files, seed);
  return [...again].filter(([name]) => failed.has(name)).map(([name, reason]) => `${name}: ${reason}`);
}

/** What failed → why. */
async function runTests(files: readonly string[], seed: number): Promise<ReadonlyMap<string, string>> {
  const vitest = await startVitest('test', [...files], {
    root,
    // The one of `npm test` also builds the program and starts a browser, which these do not need.
    config: false,
    globalSetup: [join(root, 'tests/setup/postgres.ts')],
    watch: false,
    reporters: [{}],
    env: { PROPERTY_SEED: String(seed) },
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  });
  try {
    return failuresOf(vitest);
  } finally {
    await vitest.close();
  }
}

function failuresOf({ state }: Vitest): ReadonlyMap<string, string> {
  const modules = state.getTestModules();
  const failed = new Map<string, string>();
  for (const module of modules) {
    const errors = module.errors();
    if (errors.length > 0) failed.set(relative(root, module.moduleId), messagesOf(errors));
    for (const test of module.children.allTests('failed')) failed.set(test.fullName, messagesOf(test.result().errors));
  }
  if (modules.length === 0) failed.set('all', 'no test was found');
  return failed;
}

const messagesOf = (errors: readonly { readonly message: string }[] = []): string =>
  errors.map(({ message }) => message).join('; ');
