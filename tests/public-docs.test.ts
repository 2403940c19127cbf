// What an editor shows of the library: every public name is explained, with an example that compiles and runs.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import {
  type Definition,
  findMentioned,
  findPublicNames,
  isExported,
  type PublicName,
} from './support/public-names.ts';

const publicNames = findPublicNames(resolve('.'));
/** Each definition once, under the first entry that has it. */
const definitions = new Map(publicNames.toReversed().map((each) => [keyOf(each.definition), each]));

/** Types that nobody has to name, with the reason. */
const UNNEEDED: ReadonlyMap<string, string> = new Map([
  ['SchemaForm', 'a part of RegisteredSkill for the runtime; definitionJson() gives its schema'],
  ['Redactor', 'a part of RegisteredSkill for the runtime'],
  ['Failed', 'what is left of InvocationResult when success is false'],
  ['DocumentToolName', 'keyof ToolNames'],
  ['Durability', 'a part of RegisteredSkill for runs; DurableOptions is what a definition has'],
  ['Pinned', 'of a root that a lock fixes: only the catalog makes and reads it'],
]);

test('the entries are found', () => {
  expect(new Set(publicNames.map(({ entry }) => entry)).size).toBe(8);
  expect(definitions.size).toBeGreaterThan(50);
});

test('every public name has a doc comment with a sentence and an example', () => {
  const bare = [...definitions.values()].filter(({ definition }) => {
    const [sentences = '', example = ''] = definition.comment.split(/^@example$/m);
    return !/[.:]$/m.test(sentences.trim()) || example.trim() === '';
  });
  expect(bare.map(({ entry, name }) => `${entry}: ${name}`)).toEqual([]);
});

test('every type in a public signature can be imported', () => {
  const missing = [...definitions.values()].flatMap(({ name, definition }) =>
    exportedIn(definition)
      .filter((each) => !definitions.has(keyOf(each)) && !UNNEEDED.has(each.name))
      .map((each) => `${name} mentions ${each.name}`),
  );
  expect(missing).toEqual([]);
});

test('docs/package.md lists the public names of every entry, and no others (C)', () => {
  const rows = readFileSync('docs/package.md', 'utf8').match(/^\| `repertoire.* \| .* \| .* \|$/gm) ?? [];
  const quotedIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const listed = rows.flatMap((row) => {
    const [entries = '', ...names] = row.split(' | ');
    return quotedIn(entries).flatMap((entry) => quotedIn(names.join()).map((name) => `${entry}: ${name}`));
  });
  expect(listed.sort()).toEqual(publicNames.map(({ entry, name }) => `${entry}: ${name}`).sort());
});

test('docs/package.md says what each public value is for, beside the list of names (C)', () => {
  const [prose = ''] = readFileSync('docs/package.md', 'utf8').split('\n## Every name\n');
  const values = publicNames.filter(({ definition }) => !isTypeDefinition(definition)).map(({ name }) => name);
  expect(values.filter((name) => !new RegExp(`\\b${name}\\b`).test(prose))).toEqual([]);
});

const folder = mkdtempSync(join(tmpdir(), 'repertoire-examples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every example compiles against the package and runs', async () => {
  linkPackages();
  cpSync('examples/skills', join(folder, 'skills'), { recursive: true });
  const files = [...definitions.values()].map(writeExample);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }));
  expect(await run(resolve('node_modules/typescript/lib/tsc.js'), '-p', '.')).toBe('');
  writeFileSync(join(folder, 'run-all.mjs'), RUN_ALL);
  const outputs = files.map((file) => `./out/${file.replace(/ts$/, 'js')}`);
  expect(await run('run-all.mjs', ...outputs)).toBe(`${outputs.length} ran\n`);
});

function keyOf({ file, name }: Definition): string {
  return `${file}#${name}`;
}

/** What the definition mentions, and what the parts mention that its file keeps to itself. */
function exportedIn(definition: Definition, seen = new Set<string>()): readonly Definition[] {
  return findMentioned(definition).flatMap((each) => {
    if (each.name === definition.name || seen.has(keyOf(each))) return [];
    seen.add(keyOf(each));
    if (!isExported(each)) return exportedIn(each, seen);
    return isTypeDefinition(each) ? [each] : [];
  });
}

/** As another project would have it. */
function linkPackages(): void {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/repertoire'));
  for (const name of ['zod', '@modelcontextprotocol', '@types']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
}

const COMPILER_OPTIONS = {
  target: 'ES2023',
  module: 'NodeNext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  types: ['node'],
  skipLibCheck: true,
  rootDir: '.',
  outDir: 'out',
};

/** What examples take for granted; a later one may use those before it. */
const GIVEN: readonly (readonly [name: string, statement: string])[] = [
  ['catalog', "const catalog = await openCatalog({ roots: ['./skills'], watch: false });"],
  [
    'greet',
    `const greet = defineSkill({
  name: 'greet',
  description: 'Greets somebody by name.',
  category: 'execution',
  input: z.object({ name: z.string().min(1).max(80) }),
  output: z.object({ greeting: z.string() }),
  run: ({ name }) => ({ greeting: \`Hello, \${name}\` }),
});`,
  ],
  ['store', "const store = await openStore({ data: './data' });"],
  ['runtime', 'const runtime = createRuntime({ skills: [greet] });'],
  ['repertoire', 'const repertoire = createRepertoire(catalog);'],
  ['server', "const server = new McpServer({ name: 'example', version: '1.0.0' });"],
  ['transport', 'const [transport] = InMemoryTransport.createLinkedPair();'],
];

function writeExample({ entry, name, definition }: PublicName, index: number): string {
  const example = definition.comment.split(/^@example$/m)[1] ?? '';
  const body = GIVEN.reduceRight(
    (text, [given, statement]) => (uses(text, given) && !declares(text, given) ? `${statement}\n${text}` : text),
    example,
  );
  // Numbered: `ResultJson` and `resultJson` are one file on some disks.
  const file = `${index}-${name}.ts`;
  writeFileSync(join(folder, file), `${importsFor(body, entry)}${body}\nexport {};\n`);
  return file;
}

/** The names that the text uses and does not declare; of the example's own entry where that has them. */
function importsFor(text: string, entry: string): string {
  const places = new Map<string, string>(SDK.get(entry) ?? SDK.get('repertoire/mcp'));
  for (const each of publicNames) if (!places.has(each.name)) places.set(each.name, each.entry);
  for (const each of publicNames) if (each.entry === entry) places.set(each.name, each.entry);
  return [...places]
    .filter(([name]) => uses(text, name) && !declares(text, name))
    .map(([name, from]) => `import { ${isType(name) ? 'type ' : ''}${name} } from '${from}';\n`)
    .join('');
}

/** Names of other packages. */
const SDK: ReadonlyMap<string, readonly (readonly [string, string])[]> = new Map([
  [
    'repertoire/mcp',
    [
      ['z', 'zod'],
      ['McpServer', '@modelcontextprotocol/server'],
      ['InMemoryTransport', '@modelcontextprotocol/server'],
    ],
  ],
  [
    'repertoire/mcp/v1',
    [
      ['McpServer', '@modelcontextprotocol/sdk/server/mcp.js'],
      ['InMemoryTransport', '@modelcontextprotocol/sdk/inMemory.js'],
    ],
  ],
]);

const isType = (name: string): boolean =>
  publicNames.some((each) => each.name === name && isTypeDefinition(each.definition));

function isTypeDefinition({ text }: Definition): boolean {
  return /^export (?:interface|type)/.test(text);
}

/** As a name, also after `...`; not as a field, a key or a part of a text. */
const uses = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w'/-]|(?<!\\.\\.)\\.)${name}(?![\\w'/:-])`).test(text);

const declares = (text: string, name: string): boolean =>
  new RegExp(`\\b(?:const|let) (?:${name}\\b|[[{][^=]*\\b${name}\\b[^=]*[\\]}] =)`).test(text);

/** What examples print is not looked at. */
const RUN_ALL = `
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;
process.stderr.write = () => true;
const files = process.argv.slice(2);
const faults = [];
for (const file of files) await import(file).catch((error) => faults.push(file + ': ' + error.stack));
write(faults.length > 0 ? faults.join('\\n') : files.length + ' ran\\n', () => process.exit());
`;

/** What the program says; of a failure, too. */
async function run(...args: readonly string[]): Promise<string> {
  const said = (output: { stdout: string; stderr: string }) => output.stdout + output.stderr;
  return await promisify(execFile)(process.execPath, args, { cwd: folder }).then(said, said);
}
