// Says of every block in the documentation which test executes or checks it. A block without an entry fails
// tests/docs/inventory.test.ts: a page that shows something new needs a runner first.
import type { DocBlock } from './doc-blocks.ts';

export type Runner = keyof typeof runnerFiles;

/** Where each kind of block is executed or checked. */
export const runnerFiles = {
  shell: 'tests/docs/shell.test.ts',
  snippet: 'tests/docs/snippets.test.ts',
  entry: 'tests/docs/entries.test.ts',
  shown: 'tests/docs/shown.test.ts',
  tree: 'tests/docs/shown.test.ts',
  exchange: 'tests/docs/exchanges.test.ts',
  found: 'tests/docs/search.test.ts',
  skill: 'tests/docs/skill-texts.test.ts',
  'broken skill': 'tests/docs/skill-texts.test.ts',
  builtin: 'tests/contracts/builtin/planning-docs.test.ts',
  workflow: 'tests/docs/workflows.test.ts',
  lock: 'tests/docs/team-lock.test.ts',
  nothing: 'tests/docs/inventory.test.ts',
} as const;

/** Blocks that show what some command or request answers; shown.test.ts knows how to get each. */
export const shownAnswers = {
  'status screen': { page: 'README.md', begins: 'Repertoire ' },
  'status as JSON': { page: 'docs/cli.md', begins: '{\n  "version"' },
  'line of a refresh': { page: 'docs/cli.md', begins: 'repertoire: Refreshed' },
  'listed skill': { page: 'docs/cli.md', begins: '{ "name": "csv-cleaning"' },
  'check as JSON': { page: 'docs/cli.md', begins: '{\n  "skills_checked"' },
  'screen of connect': { page: 'docs/connect.md', begins: 'Cursor is connected' },
  'screen of a check': { page: 'docs/connect.md', begins: '✓ Cursor works' },
  'HTTP failure': { page: 'docs/http-api.md', begins: '{\n  "success": false' },
} as const satisfies Record<string, Beginning>;

export type ShownAnswer = keyof typeof shownAnswers;

/** What cannot be executed, and why. The inventory prints it. */
export const notRun: readonly (Beginning & { readonly why: string })[] = [
  { page: 'docs/scaling.md', begins: '   agents ', why: 'a drawing of machines; the faults of tests/faults play it' },
  { page: 'docs/telemetry.md', begins: 'receivers:', why: 'the configuration of another program' },
  { page: 'docs/scaling.md', begins: 'upstream repertoire', why: 'the configuration of another program' },
];

/** Folders drawn as trees: what they name has to be there. */
export const trees: readonly (Beginning & { readonly root: string })[] = [
  { page: 'docs/architecture.md', begins: 'src/\n', root: '.' },
  { page: 'docs/writing-skills.md', begins: 'release-notes/\n', root: 'examples/skills' },
];

interface Beginning {
  readonly page: string;
  readonly begins: string;
}

export const isAt = (block: DocBlock, { page, begins }: Beginning): boolean =>
  block.page === page && block.text.startsWith(begins);

/** Undefined: nobody has said yet how this block is held to the truth. */
export function findRunner(block: DocBlock): Runner | undefined {
  return rules.find(([, applies]) => applies(block))?.[0];
}

const isAmong = (places: readonly Beginning[]) => (block: DocBlock) => places.some((place) => isAt(block, place));
const isIn =
  (...languages: readonly string[]) =>
  (block: DocBlock) =>
    languages.includes(block.language);

const rules: readonly (readonly [Runner, (block: DocBlock) => boolean])[] = [
  // One block needs what those before it made.
  ['workflow', (block) => block.page === 'docs/workflows.md' && ['sh', 'json'].includes(block.language)],
  ['lock', (block) => block.page === 'docs/sources.md' && block.language === 'yaml'],
  ['shell', isIn('sh', 'bash', 'console')],
  ['snippet', isIn('ts', 'js', 'mjs', 'typescript', 'javascript')],
  ['nothing', isAmong(notRun)],
  ['tree', isAmong(trees)],
  ['shown', isAmong(Object.values(shownAnswers))],
  ['builtin', (block) => block.language === 'json' && block.page === 'docs/builtin-skills.md'],
  ['entry', (block) => block.language === 'json' && block.text.includes('"mcpServers"')],
  ['exchange', (block) => block.language === 'json' && block.page === 'docs/mcp.md'],
  ['found', (block) => block.language === 'text' && block.page === 'docs/search.md'],
  ['broken skill', (block) => block.language === 'md' && block.page === 'docs/problems.md'],
  ['skill', (block) => block.language === 'md' && block.text.startsWith('---\n')],
];
