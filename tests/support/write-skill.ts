// Writes skills and files into a root, the folders above them included.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface SkillParts {
  /** Default: the folder's name. */
  readonly name?: string;
  readonly description?: string;
  readonly body?: string;
  /** Further lines of the frontmatter. */
  readonly fields?: readonly string[];
  /** Default: SKILL.md. */
  readonly file?: string;
}

/** A skill in `root/folder`; answers its whole text. Name and description are written as JSON, which is YAML too. */
export function writeSkill(root: string, folder: string, parts: SkillParts = {}): string {
  const text = skillText({ name: basename(folder), ...parts });
  write(join(root, folder, parts.file ?? 'SKILL.md'), text);
  return text;
}

export function skillText(parts: SkillParts & { readonly name: string }): string {
  const description = parts.description ?? `Does ${parts.name} things.`;
  const lines = [`name: ${JSON.stringify(parts.name)}`, `description: ${JSON.stringify(description)}`];
  const frontmatter = [...lines, ...(parts.fields ?? [])].join('\n');
  return `---\n${frontmatter}\n---\n${parts.body ?? `# ${parts.name}\n`}`;
}

/** Answers the path. */
export function write(path: string, text: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
