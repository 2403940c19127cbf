// Says whether the built package can be published: it installs and works on every Node that we support, judges that we did
// not write have no remark, and how much users download. Exit 1 if anything fails. It needs npm's registry.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journey } from '../tests/support/packed-journey.ts';
import { askAreTheTypesWrong, askPublint } from '../tests/support/packed-judges.ts';
import { installPacked, type Packed, packProgram, run } from '../tests/support/packed-program.ts';
import { type Weight, weighPackages } from '../tests/support/packed-sizes.ts';

/** The oldest that `engines` allows of 20 and of 22, and the newest of 22 and of 24. */
const NODES = ['20.19.0', '22.3.0', '22', '24'];
const HEAVIEST = 10;
const LAST_LINES = 30;
const LINE_WIDTH = 200;

async function main(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'repertoire-package-'));
  try {
    const packed = packProgram(place);
    tell('publint', await askPublint(packed.tarball));
    tell('Are the types wrong? (ES modules)', askAreTheTypesWrong(packed.tarball));
    let weights: readonly Weight[] = [];
    for (const version of NODES) weights = await walkOn(version, packed);
    print(`\n${sizeTable(packed, weights)}`);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Answers what was installed, by weight. */
async function walkOn(version: string, { tarball }: Packed): Promise<readonly Weight[]> {
  const node = findNode(version);
  const exact = run(node, ['--version'], process.cwd(), process.env).stdout.trim();
  print(`\nNode ${exact}`);
  const installed = installPacked(tarball, node);
  try {
    const weights = weighPackages(join(installed.folder, 'node_modules'));
    tell('installs into an empty folder', []);
    for (const { title, walk } of journey) tell(title, await faultsOf(async () => walk(installed)));
    return weights;
  } finally {
    installed.remove();
  }
}

/** npm has each Node as a package: downloaded once, kept in npm's cache. */
function findNode(version: string): string {
  const words = ['--yes', '--package', `node@${version}`, '--', 'node', '--print', 'process.execPath'];
  const { code, stdout, stderr } = run('npx', words, tmpdir(), process.env);
  if (code !== 0) throw new Error(`Cannot get Node ${version} from npm: ${stderr}`);
  return stdout.trim();
}

/** A step that fails says why and does not keep the others from being walked. */
async function faultsOf(walk: () => Promise<void>): Promise<readonly string[]> {
  try {
    await walk();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function tell(what: string, faults: readonly string[]): void {
  print(`${faults.length === 0 ? '✓' : '✗'} ${what}`);
  // The program's lines are long: Node shows the whole of the one that failed.
  for (const line of faults.flatMap((fault) => fault.split('\n')).slice(-LAST_LINES))
    print(`    ${line.slice(0, LINE_WIDTH)}`);
  if (faults.length > 0) process.exitCode = 1;
}

function sizeTable({ size, unpackedSize, files }: Packed, weights: readonly Weight[]): string {
  const installed = weights.reduce((sum, { bytes }) => sum + bytes, 0);
  const rows = [
    { name: 'tarball', bytes: size },
    { name: `unpacked, ${files.length} files`, bytes: unpackedSize },
    { name: `installed, ${weights.length} packages`, bytes: installed },
    ...weights.slice(0, HEAVIEST).map(({ name, bytes }) => ({ name: `  ${name}`, bytes })),
  ];
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, bytes }) => `${name.padEnd(width)}  ${kilobytes(bytes).padStart(6)} kB`).join('\n');
}

const kilobytes = (bytes: number): string => Math.round(bytes / 1_000).toString();

const print = (text: string): void => void process.stdout.write(`${text}\n`);

await main();
