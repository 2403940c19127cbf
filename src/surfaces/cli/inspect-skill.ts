// What inspection finds in a skill: its SKILL.md and its other text files.
import { isUtf8 } from 'node:buffer';
import type { Catalog } from '../../catalog/catalog.ts';
import { contentOf, type Skill } from '../../catalog/view/skill.ts';
import type { Finding } from '../../document/inspect/finding.ts';
import { inspectText } from '../../document/inspect.ts';

/** Above this a file is data, not text that an agent reads. */
const maxInspectedBytes = 1_048_576;

export interface LocatedFinding extends Finding {
  /** Relative to the skill's folder, with `/`. */
  readonly path: string;
}

export async function inspectSkill(skill: Skill, catalog: Catalog): Promise<readonly LocatedFinding[]> {
  const findings = locate(skill.fileName, contentOf(skill));
  for (const { path, size } of catalog.manifestOf(skill).files) {
    if (path === skill.fileName || size > maxInspectedBytes) continue;
    const read = await catalog.readFile(skill, path);
    // A file that is gone again since the listing has nothing to inspect; what is unreadable is a problem already.
    if (read.ok && isText(read.value)) findings.push(...locate(path, read.value.toString('utf8')));
  }
  return findings;
}

export interface RootedFinding extends LocatedFinding {
  /** The root as configured; `path` is below it. */
  readonly source: string;
}

/** What to look at before an agent reads it. `onSkill` is told how many skills are done. */
export async function findHighRisks(
  catalog: Catalog,
  onSkill: (done: number, total: number) => void,
): Promise<readonly RootedFinding[]> {
  const skills = [...catalog.current.skills, ...catalog.current.unnamed];
  const risks: RootedFinding[] = [];
  for (const [index, skill] of skills.entries()) {
    for (const finding of await inspectSkill(skill, catalog)) {
      if (finding.severity !== 'high') continue;
      risks.push({ ...finding, source: skill.source, path: [...skill.segments, finding.path].join('/') });
    }
    onSkill(index + 1, skills.length);
  }
  return risks;
}

const locate = (path: string, text: string): LocatedFinding[] =>
  inspectText(text).map((finding) => ({ ...finding, path }));

const isText = (bytes: Buffer): boolean => !bytes.includes(0) && isUtf8(bytes);
