// What a skill of a source is called: by its own SKILL.md, or by its folder where that has no usable name (T2).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSkillDocument } from '../document/skill-document.ts';
import { readYamlFrontmatter } from '../document/yaml-frontmatter.ts';
import type { ContentPlace, MadeSkill } from './content.ts';
import { hexOf } from './skill-digest.ts';

/** `place`: where its files lie. */
export function nameOfMade({ path, digest, files }: MadeSkill, { skills }: ContentPlace): string {
  const names = files.map((file) => file.path).filter((name) => /^skill\.md$/i.test(name));
  const file = names.find((name) => name === 'SKILL.md') ?? names.sort()[0];
  const text = file === undefined ? '' : readFileSync(join(skills, hexOf(digest), file), 'utf8');
  return parseSkillDocument(text, readYamlFrontmatter)?.document?.name ?? nameOfFolder(path);
}

/** `path`: in the source; its top has no name of its own. */
export const nameOfFolder = (path: string): string => (path === '.' ? 'skill' : (path.split('/').at(-1) ?? path));
