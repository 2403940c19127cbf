// The skills of public collections, for the evaluation of upkeep: every SKILL.md at the newest commit of bare clones. They are
// not kept here.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSkillDocument } from '../../src/document/skill-document.ts';
import { readYamlFrontmatter } from '../../src/document/yaml-frontmatter.ts';

export interface PublicSkill {
  /** `owner+name:path` */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** `folder` has a folder `owner+name` for each clone, which is the git directory or has it as `repo`. */
export function readPublicSkills(folder: string): readonly PublicSkill[] {
  return readdirSync(folder)
    .filter((clone) => clone.includes('+'))
    .sort()
    .flatMap((clone) => {
      const inner = join(folder, clone, 'repo');
      return readClone(clone, existsSync(inner) ? inner : join(folder, clone));
    });
}

function readClone(clone: string, directory: string): readonly PublicSkill[] {
  const paths = git(directory, ['ls-tree', '-r', '-z', '--name-only', 'HEAD'], '')
    .toString('utf8')
    .split('\0')
    .filter((path) => /(^|\/)SKILL\.md$/i.test(path));
  const answer = git(directory, ['cat-file', '--batch'], paths.map((path) => `HEAD:${path}\n`).join(''));
  let at = 0;
  return paths.flatMap((path) => {
    const headEnd = answer.indexOf('\n', at);
    const head = answer.toString('utf8', at, headEnd).split(' ');
    // A large file may be listed and absent.
    const size = head.at(-1) === 'missing' ? -1 : Number(head.at(-1));
    at = headEnd + 1 + size + 1;
    const text = size < 0 ? '' : answer.toString('utf8', headEnd + 1, headEnd + 1 + size);
    return skillOf(`${clone}:${path}`, text);
  });
}

function skillOf(id: string, text: string): readonly PublicSkill[] {
  const document = parseSkillDocument(text, readYamlFrontmatter)?.document;
  if (document === undefined) return [];
  const { name, description, bodyOffset } = document;
  return [{ id, name, description, body: text.slice(bodyOffset) }];
}

function git(directory: string, args: readonly string[], input: string): Buffer {
  const { status, stdout, stderr } = spawnSync('git', ['--git-dir', directory, ...args], {
    input,
    maxBuffer: 1_024 * 1_024 * 1_024,
  });
  if (status !== 0) throw new Error(`Cannot read ${directory}: ${stderr.toString('utf8').trim()}`);
  return stdout;
}
