// Builds the program: a part that serves, and a chunk per command, so that `repertoire mcp` loads only what it serves with.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InputOptions, OutputBundle, OutputChunk, OutputOptions, Plugin } from 'rolldown';
import { keepLicences } from './scripts/keep-licences.ts';

const SERVING = 'serving';
/** The entry of the program, as the bundler sees it. */
const RUN_FILE = 'cli/run-process.js';

/**
 * What every `repertoire mcp` needs, as one chunk: opening each of a dozen small files costs its first answer 7 % more, and the
 * first of them that is imported later wakes up the loader of modules, which takes 5 ms of CPU.
 * YAML and inspection are left out: most skills need neither to be served.
 */
const onServingPath =
  /src\/(?:[\w-]+\.ts|app\/(?:records|store)\.ts|values\/|text\/|async\/|files\/private-file|hosts\/[\w-]+\.ts|repertoire\/(?!index-memory)|settings\/(?!user-config)|sources\/(?:source-roots|lock-stamp)|catalog\/|surfaces\/(?:answers\/|mcp\/(?!methods\/(?:typed|propose)|wire\/http))|document\/(?!inspect|yaml)|surfaces\/cli\/(?:run-process|run-program|parse-arguments|choose-command|mcp|event-log|commands|options|program-command|problem-log|terminal\/colours)\.ts)/;

export interface Build extends InputOptions {
  readonly output: OutputOptions;
}

const shared = {
  platform: 'node',
  // Loaded by the few commands that need them; some look for files of their own beside them.
  external: ['@jmondi/oauth2-server', '@node-rs/argon2', 'jiti', 'jose', 'libsql', 'pg', 'pg-boss'],
} satisfies InputOptions;

/** Everything but its entry. */
export const program: Build = {
  ...shared,
  // The second is started as a process of its own, by code in a chunk: it lies beside them.
  input: {
    'cli/run-process': 'src/surfaces/cli/run-process.ts',
    'cli/skill-process': 'src/skills/process/skill-process.ts',
  },
  // Its `main` is a wrapper that cannot be bundled.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  // Of the packages outside none is imported for what it does when it is loaded.
  treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
  plugins: [takeBuiltins(), requireZod(), asScript(), keepLicences()],
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'cli/[name]-[hash].js',
    cleanDir: true,
    minify: true,
    codeSplitting: { groups: [{ name: SERVING, test: onServingPath }] },
  },
};

/** The entry, once it is known what the serving part is called. */
export const entry = (servingFile: string): Build => ({
  ...shared,
  input: { cli: 'src/surfaces/cli/start.ts' },
  transform: { define: { SERVING_FILE: JSON.stringify(servingFile) } },
  plugins: [makeExecutable('cli.js')],
  output: { dir: 'dist', format: 'cjs', entryFileNames: '[name].js', minify: true },
});

const isServing = (chunk: OutputBundle[string]): chunk is OutputChunk =>
  chunk.type === 'chunk' && chunk.name === SERVING;

/** Node opens all files of an imported package at once: the languages of zod alone are 60 descriptors (F6). */
function requireZod(): Plugin {
  const id = '\0zod';
  return {
    name: 'require-zod',
    resolveId: (name) => (name === 'zod' ? id : null),
    load: (wanted) =>
      wanted === id
        ? `import { createRequire } from 'node:module';
           export const { toJSONSchema, z } = createRequire(import.meta.url)('zod');`
        : null,
  };
}

/** What the build made of the serving part: it lies beside the entry. */
export const servingFileIn = (built: readonly OutputBundle[string][]): string | undefined =>
  built.find(({ fileName }) => fileName.startsWith(`${SERVING}-`))?.fileName;

/**
 * The serving part becomes a CommonJS file, because V8's compiled form of one can be kept (compiled-part.ts). What stays in its
 * place gives it to the other chunks: Node would search it for names to import, which takes longer than to run it.
 */
function asScript(): Plugin {
  return {
    name: 'as-script',
    generateBundle(_options, bundle) {
      const serving = Object.values(bundle).find(isServing);
      const run = bundle[RUN_FILE];
      if (serving === undefined || run?.type !== 'chunk')
        throw new Error('Cannot build the program: a part is missing');
      // All that it does is to give the function its name again.
      const [, name] = /\b(\w+) as runProcess\b/.exec(run.code) ?? [];
      delete bundle[RUN_FILE];
      const { body, exported } = splitExports(serving);
      const source = scriptOf(body, [...exported, ['runProcess', `exports.${name}`]]);
      // Of all that is in it: what V8 compiled of another one must not be taken for this one's.
      const digest = createHash('sha256').update(source).digest('base64url').slice(0, 8);
      const script = `${SERVING}-${digest}.js`;
      this.emitFile({ type: 'asset', fileName: script, source });
      serving.code = facadeOf(
        script,
        exported.map(([as]) => as),
      );
    },
    writeBundle: ({ dir = '.' }) => {
      for (const [folder, type] of MODULE_KINDS) {
        mkdirSync(join(dir, folder), { recursive: true });
        writeFileSync(join(dir, folder, 'package.json'), `{ "type": "${type}" }\n`);
      }
    },
  };
}

/** What the files in each folder of dist/ are. */
const MODULE_KINDS = [
  ['.', 'commonjs'],
  ['cli', 'module'],
  ['lib', 'module'],
] as const;

type Exported = readonly [as: string, local: string | undefined];

function splitExports({ code, fileName }: OutputChunk): {
  readonly body: string;
  readonly exported: readonly Exported[];
} {
  const [statement, names = ''] = /export\s*\{([^}]*)\};?\s*$/.exec(code) ?? [];
  if (statement === undefined || /(?:^|[;}\n])import[\s{*"'`]/.test(code))
    throw new Error(`Cannot make a script of ${fileName}: it imports; leave what is loaded later out of onServingPath`);
  const exported = names.split(',').map((each): Exported => {
    const [local = '', as = local] = each.trim().split(/\s+as\s+/);
    return [as, local];
  });
  return { body: code.slice(0, -statement.length), exported };
}

/** Numbers, because a name may be a word of the language. */
function facadeOf(script: string, names: readonly string[]): string {
  const taken = `process.getBuiltinModule("node:module").createRequire(import.meta.url)("../${script}")`;
  const locals = names.map((name, index) => `${name}:_${index}`);
  return `const{${locals}}=${taken};export{${names.map((name, index) => `_${index} as ${name}`)}};`;
}

function scriptOf(code: string, exported: readonly Exported[]): string {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(code)) throw new Error('Cannot escape a raw text: write \\u in it');
  const body = code
    .replaceAll('import.meta.filename', '__filename')
    .replace(/\bimport\((["'`])\.\//g, 'load($1./cli/')
    .replace(/\bimport\(/g, 'load(')
    // One byte for each character, which V8 then keeps it as.
    .replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (body.includes('import.meta')) throw new Error('Cannot make a script of what asks where it lies as a module');
  const statements = exported.map(([as, local]) => `exports.${as}=${local};`);
  return `"use strict";const load=module.load??(specifier=>import(specifier));${body};${statements.join('')}`;
}

/** They have functions alone, and a start needs none of them: together they would take 4 ms of it. */
const LATER = ['node:crypto', 'node:fs/promises', 'node:url'];

/**
 * `import` of a built-in module makes Node wrap it with all its exports: about 1 ms each, of the 40 ms that a start takes.
 * `process.getBuiltinModule` (Node ≥ 20.16) answers the same object at once.
 */
function takeBuiltins(): Plugin {
  return {
    name: 'take-builtins',
    renderChunk: (code, { name: chunk }) =>
      code.replace(/import\s*\{([^}]*)\}\s*from\s*["'](node:[\w/]+)["']/g, (_, names: string, module: string) => {
        const taken = `process.getBuiltinModule("${module}")`;
        const fields = names.replace(/\bas\b/g, ':').replace(/\s+/g, '');
        if (chunk !== SERVING || !LATER.includes(module)) return `const {${fields}} = ${taken}`;
        const functions = fields.split(',').map((field) => {
          const [name, local = name] = field.split(':');
          return `${local} = (...given) => ${taken}.${name}(...given)`;
        });
        return `const ${functions.join(', ')}`;
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
