// Asks judges that we did not write whether the built program serves MCP and the Skills extension as it should: exit 1 if
// one says no. Over stdio and over HTTP, in both eras.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSkillTree } from '../tests/support/skill-tree.ts';
import { judgeAuthorization } from './conformance/authorization.ts';
import { startSuiteServer } from './conformance/suite-server.ts';
import { startServeProcess } from './serve-process.ts';

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const OFFICIAL = ['-p', 'node@22', '-p', '@modelcontextprotocol/conformance@0.2.0-alpha.12', 'conformance'];
const SUITE = [...OFFICIAL, 'server'];
const ERAS = ['modern', 'legacy'] as const;
/** Its own budget, 256 skills and 64 MiB, is smaller than our tree. */
const BUDGET = ['--skill-catalog-max-skills', '2000', '--skill-catalog-max-bytes', String(512 * 1024 * 1024)];
const LIMIT_MS = 180_000;
const LAST_LINES = 12;

/** What applies to any server, and the three about skills; each with the versions that it is asked in. */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  'sep-2640-skills-enumeration': ['2026-07-28', '2025-11-25'],
  'sep-2640-skills-manifest': ['2026-07-28', '2025-11-25'],
  'sep-2640-skills-directory': ['2026-07-28', '2025-11-25'],
  'server-initialize': ['2025-11-25'],
  'server-session-lifecycle': ['2025-11-25'],
  ping: ['2025-11-25'],
  'tools-list': ['2026-07-28', '2025-11-25'],
  'prompts-list': ['2026-07-28', '2025-11-25'],
  'resources-list': ['2026-07-28', '2025-11-25'],
  caching: ['2026-07-28'],
  'dns-rebinding-protection': ['2026-07-28', '2025-11-25'],
  'sep-2164-resource-not-found': ['2026-07-28'],
  'http-header-validation': ['2026-07-28'],
  'server-stateless': ['2026-07-28'],
};

/** Against a server of its own, which has the tools that they call. */
const TASK_SCENARIOS: readonly string[] = [
  ...['lifecycle', 'capability-negotiation', 'wire-fields', 'request-state-removal', 'mrtr-input', 'request-headers'],
  ...['dispatch-and-envelope', 'required-task-error', 'mrtr-composition', 'status-notifications'],
].map((name) => `tasks-${name}`);

const INPUT_SCENARIOS: readonly string[] = [
  ...['basic-elicitation', 'basic-sampling', 'basic-list-roots', 'request-state', 'multiple-input-requests'],
  ...['multi-round', 'missing-input-response', 'non-tool-request', 'result-type', 'unsupported-methods'],
  ...['tampered-state', 'capability-check', 'ignore-extra-params', 'validate-input'],
].map((name) => `input-required-result-${name}`);

/** Asked, but they skip themselves in 0.2.0-alpha.12, whatever a server does. */
const SKIP_THEMSELVES: Readonly<Record<string, string>> = {
  'tasks-status-notifications': 'waits for a rewrite of the suite; src/server-tasks.test.ts listens to tasks instead',
};

/** Checks that call tools of a reference server, which no other server has. */
const NEEDS_FIXTURES = /Error: Not testable: server does not list the diagnostic tool 'test_/;

interface Judge {
  readonly name: string;
  /** Of npx. */
  readonly args: readonly string[];
  /** What it printed, as a verdict. */
  readonly judge: (code: number | null, reports: string, remarks: string) => Verdict;
}

interface Verdict {
  readonly ok: boolean;
  /** Its last lines. */
  readonly said: string;
}

async function main(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'repertoire-conformance-'));
  const trees = [
    { name: 'fixture tree', roots: writeSkillTree(place).roots },
    { name: 'examples/skills', roots: ['examples/skills'] },
  ];
  try {
    // One after the other: they share the machine with the servers that they judge.
    for (const { name, roots } of trees) {
      await askAll(ERAS.map((era) => inspector(`stdio, ${era}, ${name}`, stdioServer(roots), era)));
      await judgeHttp(name, roots, name === SUITE_TREE);
    }
    await judgeRounds();
    report({ name: 'Conformance suite 0.2.0-alpha.12, authorization' }, await judgeAuthorization(OFFICIAL));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Tasks and input rounds: no check of these may fail, and none may only warn. */
async function judgeRounds(): Promise<void> {
  const server = await startSuiteServer();
  try {
    const names = [...TASK_SCENARIOS, ...INPUT_SCENARIOS];
    await askAll(names.map((name) => whole(name, scenario(name, server.mcpUrl, name, '2026-07-28'))));
  } finally {
    await server.stop();
  }
}

/** The suite ends with 0 also when it skipped or only warned. */
const whole = (name: string, judge: Judge): Judge => ({
  ...judge,
  judge: (code, reports, remarks) => {
    const verdict = judge.judge(code, reports, remarks);
    const reason = SKIP_THEMSELVES[name];
    if (reason !== undefined && code === 0 && /SKIPPED/.test(reports)) return { ok: true, said: `skipped: ${reason}` };
    const isWhole = code === 0 && /Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/.test(reports);
    return verdict.ok && !isWhole ? { ok: false, said: lastLines(reports, 40) } : verdict;
  },
});

/** The suite looks at the first skill alone: here that one has a folder in it. */
const SUITE_TREE = 'examples/skills';

async function judgeHttp(tree: string, roots: readonly string[], withSuite: boolean): Promise<void> {
  const server = await startServeProcess(roots);
  try {
    await askAll(ERAS.map((era) => inspector(`HTTP, ${era}, ${tree}`, [server.mcpUrl], era)));
    if (!withSuite) return;
    await askAll(
      Object.entries(SCENARIOS).flatMap(([name, versions]) =>
        versions.map((version) => scenario(`${name}, ${version}, ${tree}`, server.mcpUrl, name, version)),
      ),
    );
  } finally {
    await server.stop();
  }
}

const stdioServer = (roots: readonly string[]): readonly string[] => [
  process.execPath,
  'dist/cli.js',
  'mcp',
  ...roots.flatMap((root) => ['--root', root]),
];

function inspector(what: string, server: readonly string[], era: (typeof ERAS)[number]): Judge {
  const check = ['--method', 'skills/list', '--verify', '--require-digests', ...BUDGET];
  return {
    name: `Inspector 2.12.0, ${what}`,
    args: ['-y', INSPECTOR, '--cli', ...server, '--protocol-era', era, ...check],
    judge: (code, reports, remarks) => {
      const ok = code === 0 && reports.includes('"outcome":"verified"');
      return { ok, said: ok ? lastLines(remarks, 1) : `${explain(reports, remarks)}\nended with ${code}` };
    },
  };
}

function scenario(what: string, url: string, name: string, version: string): Judge {
  return {
    name: `Conformance suite 0.2.0-alpha.12, ${what}`,
    args: ['-y', ...SUITE, '--url', url, '--scenario', name, '--spec-version', version, '--force'],
    judge: (code, reports, remarks) => {
      const [, listed = ''] = reports.split('=== Failed Checks ===');
      const faults = listed.split(/^ {2}- /m).slice(1);
      const passed = /Passed: \d+\/\d+[^\n]*/.exec(reports)?.[0];
      const ok =
        passed !== undefined &&
        faults.every((fault) => NEEDS_FIXTURES.test(fault)) &&
        (code === 0 || faults.length > 0);
      const note = faults.length === 0 ? '' : ` (${faults.length} of them need tools of the reference server)`;
      return { ok, said: ok ? passed + note : `${lastLines(reports, 40)}\n${lastLines(remarks)}\nended with ${code}` };
    },
  };
}

async function askAll(judges: readonly Judge[]): Promise<void> {
  for (const judge of judges) report(judge, await ask(judge));
}

function ask({ args, judge }: Judge): Promise<Verdict> {
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
    child.once('close', (code) => resolve(judge(code, reports, remarks)));
  });
}

/** One report per skill and line: those that are not verified say why. */
function explain(reports: string, remarks: string): string {
  const faults = reports.split('\n').filter((line) => line !== '' && !line.includes('"outcome":"verified"'));
  return [lastLines(faults.map((line) => line.slice(0, 1_000)).join('\n')), lastLines(remarks)].join('\n');
}

const lastLines = (text: string, count = LAST_LINES): string => text.trim().split('\n').slice(-count).join('\n');

function report({ name }: Pick<Judge, 'name'>, { ok, said }: Verdict): void {
  process.stdout.write(ok ? `ok      ${name}: ${said}\n` : `failed  ${name}\n${said}\n`);
  if (!ok) process.exitCode = 1;
}

await main();
