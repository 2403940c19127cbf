// A temporary home and project in which the built program is run as a user runs it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toShellLine } from '../src/text/shell-line.ts';
import { program } from './support/world.ts';
import { write } from './support/write-skill.ts';

export interface CliWorld {
  /** Holds the other two. */
  readonly path: string;
  readonly home: string;
  readonly project: string;
  /** The project's first default root. */
  readonly skills: string;
  readonly environment: Readonly<Record<string, string>>;
  run(args: readonly string[], variables?: Readonly<Record<string, string>>): Ended;
  /** What the command prints with --json. */
  json(args: readonly string[]): ReturnType<typeof JSON.parse>;
  remove(): void;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function createCliWorld(): CliWorld {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-cli-')));
  const [home, project] = [join(path, 'home'), join(path, 'project')];
  mkdirSync(home);
  mkdirSync(project);
  // Nothing of the developer's own set-up: colours, NODE_OPTIONS and home would change what is seen.
  const environment = { PATH: process.env.PATH ?? '', HOME: home };
  const run: CliWorld['run'] = (args, variables = {}) => {
    const options = { cwd: project, env: { ...environment, ...variables }, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options);
    return { code: status, stdout, stderr };
  };
  return {
    path,
    home,
    project,
    skills: join(project, '.agents/skills'),
    environment,
    run,
    json: (args) => JSON.parse(run([...args, '--json']).stdout),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** How a message names the program: it is not on the PATH here (U6). */
export const programWords = toShellLine(['node', program]);

export const skillText = (name: string, description: string, body = '# Steps\n'): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;

/** A good skill; answers the path of its SKILL.md. */
export function addSkill(root: string, name: string, body?: string): string {
  return write(join(root, name, 'SKILL.md'), skillText(name, `Does ${name} things. Use it for ${name}.`, body));
}
