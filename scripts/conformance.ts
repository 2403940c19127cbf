// Asks judges that we did not write whether the built program serves the Skills extension as it should: exit 1 if one says no.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSkillTree } from '../tests/support/skill-tree.ts';

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const ERAS = ['modern', 'legacy'] as const;
/** Its own budget, 256 skills and 64 MiB, is smaller than our tree. */
const BUDGET = ['--skill-catalog-max-skills', '2000', '--skill-catalog-max-bytes', String(512 * 1024 * 1024)];
const LIMIT_MS = 180_000;
const LAST_LINES = 12;

interface Judge {
  readonly name: string;
  /** Of npx. */
  readonly args: readonly string[];
}

interface Verdict {
  readonly ok: boolean;
  /** Its last lines. */
  readonly said: string;
}

async function main(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'repertoire-conformance-'));
  try {
    const trees = [
      { name: 'fixture tree', roots: writeSkillTree(place).roots },
      { name: 'examples/skills', roots: ['examples/skills'] },
    ];
    const judges = trees.flatMap(({ name, roots }) => ERAS.map((era) => inspector(name, roots, era)));
    // One after the other: they share the machine with the servers that they judge.
    for (const judge of judges) report(judge, await ask(judge));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function inspector(tree: string, roots: readonly string[], era: (typeof ERAS)[number]): Judge {
  const server = [process.execPath, 'dist/cli.js', 'mcp', ...roots.flatMap((root) => ['--root', root])];
  const check = ['--method', 'skills/list', '--verify', '--require-digests', ...BUDGET];
  return {
    name: `Inspector 2.12.0, stdio, ${era}, ${tree}`,
    args: ['-y', INSPECTOR, '--cli', ...server, '--protocol-era', era, ...check],
  };
}

function ask({ args }: Judge): Promise<Verdict> {
  return new Promise((resolve) => {
    const child = spawn('npx', args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
    let reports = '';
    let remarks = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      reports += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      remarks += chunk;
    });
    child.once('error', (error) => resolve({ ok: false, said: error.message }));
    child.once('close', (code, signal) => {
      const ok = code === 0 && reports.includes('"outcome":"verified"');
      resolve({ ok, said: ok ? lastLines(remarks, 1) : `${explain(reports, remarks)}\nended with ${code ?? signal}` });
    });
  });
}

/** One report per skill and line: those that are not verified say why. */
function explain(reports: string, remarks: string): string {
  const faults = reports.split('\n').filter((line) => line !== '' && !line.includes('"outcome":"verified"'));
  return [lastLines(faults.map((line) => line.slice(0, 1_000)).join('\n')), lastLines(remarks)].join('\n');
}

const lastLines = (text: string, count = LAST_LINES): string => text.trim().split('\n').slice(-count).join('\n');

function report({ name }: Judge, { ok, said }: Verdict): void {
  process.stdout.write(ok ? `ok      ${name}: ${said}\n` : `failed  ${name}\n${said}\n`);
  if (!ok) process.exitCode = 1;
}

await main();
