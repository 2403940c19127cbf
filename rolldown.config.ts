// Builds the program: an entry, a chunk per command, so that `repertoire mcp` loads only what it serves with.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { InputOptions, OutputOptions, Plugin } from 'rolldown';
import { keepLicences } from './scripts/keep-licences.ts';

/**
 * What `repertoire mcp` needs for its first answer, as one chunk: opening each of a dozen small files costs it 7 % more.
 * YAML and inspection are left out: most skills need neither to be served.
 */
const onServingPath =
  /src\/(?:[\w-]+\.ts|app\/(?:records|store)\.ts|values\/|text\/|async\/|hosts\/[\w-]+\.ts|repertoire\/|settings\/(?!user-config)|catalog\/|surfaces\/(?:answers\/|mcp\/(?!methods\/typed|wire\/http))|document\/(?!inspect|yaml)|surfaces\/cli\/(?:mcp|event-log|commands|options|program-command)\.ts)/;

const config: InputOptions & { readonly output: OutputOptions } = {
  // The second is started as a process of its own, by code in a chunk: it lies beside them.
  input: { cli: 'src/surfaces/cli/main.ts', 'cli/skill-process': 'src/skills/process/skill-process.ts' },
  platform: 'node',
  // Loaded by the few commands that need them; some look for files of their own beside them.
  external: ['@node-rs/argon2', 'jiti', 'jose', 'libsql', 'pg', 'zod'],
  // Its `main` is a wrapper that cannot be bundled.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  // Of the packages outside none is imported for what it does when it is loaded.
  treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
  plugins: [takeBuiltins(), makeExecutable('cli.js'), keepLicences()],
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'cli/[name]-[hash].js',
    cleanDir: true,
    minify: true,
    codeSplitting: { groups: [{ name: 'serving', test: onServingPath }] },
  },
};

export default config;

/**
 * `import` of a built-in module makes Node wrap it with all its exports: about 1 ms each, of the 40 ms that a start takes.
 * `process.getBuiltinModule` (Node ≥ 20.16) answers the same object at once.
 */
function takeBuiltins(): Plugin {
  return {
    name: 'take-builtins',
    renderChunk: (code) =>
      code.replace(/import\s*\{([^}]*)\}\s*from\s*["'](node:[\w/]+)["']/g, (_, names: string, module: string) => {
        const fields = names.replace(/\bas\b/g, ':').replace(/\s+/g, '');
        return `const {${fields}} = process.getBuiltinModule("${module}")`;
      }),
  };
}

/** npm does this for an installed package; a checkout is run as it was built. */
function makeExecutable(fileName: string): Plugin {
  return {
    name: 'make-executable',
    writeBundle: ({ dir = '.' }) => chmodSync(join(dir, fileName), 0o755),
  };
}
