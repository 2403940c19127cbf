// The project that README and docs/cli.md draw: two good skills in it, two at home; one of each place has a common fault.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

export interface PictureWorld {
  readonly home: string;
  readonly project: string;
  /** The project's first default root. */
  readonly skills: string;
  /** What the program, which is on PATH here, prints in the project. */
  print(...words: readonly string[]): string;
  remove(): void;
}

const program = resolve('dist/cli.js');

export function createPictureWorld(): PictureWorld {
  // So long that paths do not fit beside the labels: the picture is then the same on every machine.
  const path = mkdtempSync(join(tmpdir(), `repertoire-docs-${'long-'.repeat(10)}`));
  const [home, project, bin] = [join(path, 'home'), join(path, 'shop'), join(path, 'bin')];
  const skills = join(project, '.agents/skills');
  const ownSkills = join(home, '.claude/skills');
  for (const folder of [bin, join(home, '.codex')]) mkdirSync(folder, { recursive: true });
  symlinkSync(program, join(bin, 'repertoire'));
  copySkills(['commit-messages', 'sql-review'], skills);
  copySkills(['csv-cleaning'], ownSkills);
  writeSkill(skills, 'deploy', 'name: deploy');
  const colon = 'description: Take notes in three parts: decisions, tasks, questions.';
  writeSkill(ownSkills, 'meeting-notes', `name: meeting-notes\n${colon}`);
  const env = { HOME: home, PATH: [bin, process.env.PATH].join(delimiter) };
  return {
    home,
    project,
    skills,
    print: (...words) =>
      spawnSync(process.execPath, [program, ...words], { cwd: project, env, encoding: 'utf8' }).stdout,
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

function copySkills(names: readonly string[], root: string): void {
  for (const name of names) cpSync(join('examples/skills', name), join(root, name), { recursive: true });
}

export function writeSkill(root: string, name: string, fields: string, body = 'Text.\n'): void {
  const path = join(root, name, 'SKILL.md');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `---\n${fields}\n---\n${body}`);
}
