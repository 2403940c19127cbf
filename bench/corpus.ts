// Writes a root full of skills: the same ones for the same seed, in sizes as people have them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRandom, type Random, wholeNumber } from './random.ts';
import { markdown, sentence, words } from './words.ts';

export interface Corpus {
  /** How the table calls it. */
  readonly label: string;
  readonly skills: number;
  /** One description is written in a way that only the full YAML library reads. */
  readonly needsYaml?: true;
}

export const thousandSkills: Corpus = { label: '1,000 skills', skills: 1_000 };

/** The skills' folders below `root`; answers their names. */
export function writeCorpus(root: string, { skills, needsYaml }: Corpus): readonly string[] {
  const random = createRandom(skills);
  mkdirSync(root, { recursive: true });
  return Array.from({ length: skills }, (_, index) => {
    const name = `${words(random, 2).replace(' ', '-')}-${String(index).padStart(5, '0')}`;
    const description = needsYaml && index === 0 ? `>-\n  ${sentence(random)}` : sentence(random);
    writeFile(join(root, name, 'SKILL.md'), skillText(random, name, description, sizeBetween(random, 2, 12)));
    writeSupportingFiles(random, join(root, name));
    return name;
  });
}

/** A whole SKILL.md of exactly `bytes` bytes. */
export function skillText(random: Random, name: string, description: string, bytes: number): string {
  const license = random() < 0.5 ? 'license: Apache-2.0\n' : '';
  const metadata =
    random() < 0.3 ? `metadata:\n  team: ${words(random, 1)}\n  version: "1.${wholeNumber(random, 9)}"\n` : '';
  const tools = random() < 0.2 ? 'allowed-tools: Bash(git:*) Read\n' : '';
  const head = `---\nname: ${name}\ndescription: ${description}\n${license}${metadata}${tools}---\n\n# ${name}\n\n`;
  return head + markdown(random, bytes - head.length);
}

export function writeSkill(root: string, name: string, text: string): void {
  writeFile(join(root, name, 'SKILL.md'), text);
}

const folders = ['references', 'scripts', 'assets'];
const extensions = ['md', 'py', 'sh', 'json', 'ts', 'txt'];

function writeSupportingFiles(random: Random, folder: string): void {
  const count = wholeNumber(random, 7);
  for (let index = 0; index < count; index++) {
    const place = folders[wholeNumber(random, folders.length)] ?? 'assets';
    const extension = extensions[wholeNumber(random, extensions.length)] ?? 'md';
    writeFile(
      join(folder, place, `${words(random, 1)}-${index}.${extension}`),
      markdown(random, sizeBetween(random, 0.4, 4)),
    );
  }
}

const sizeBetween = (random: Random, leastKb: number, mostKb: number): number =>
  Math.round((leastKb + random() * (mostKb - leastKb)) * 1024);

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
