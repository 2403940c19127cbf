// What looks suspicious in a document skill: in its SKILL.md and in its other texts. Looked for once per state of it.
import type { Skill } from '../../../catalog/skill.ts';
import type { Finding } from '../../../document/inspect/finding.ts';
import { inspectText } from '../../../document/inspect.ts';
import type { Repertoire } from '../../../repertoire.ts';

export interface SkillFinding extends Finding {
  /** Below the skill's folder, with `/`. */
  readonly path: string;
}

/** Above this a file is data, not a text that an agent reads. */
const MAX_INSPECTED_BYTES = 1_048_576;

/** A changed skill is another value, so old findings are never shown for it. */
const known = new WeakMap<Skill, Promise<readonly SkillFinding[]>>();

export function findingsOf(skill: Skill, repertoire: Repertoire): Promise<readonly SkillFinding[]> {
  const found = known.get(skill);
  if (found !== undefined) return found;
  const looking = inspectSkill(skill, repertoire);
  known.set(skill, looking);
  // A fault of ours is told to whoever asked, and not kept for those who come later.
  looking.catch(() => known.delete(skill));
  return looking;
}

async function inspectSkill(skill: Skill, repertoire: Repertoire): Promise<readonly SkillFinding[]> {
  const findings = locate(skill.fileName, repertoire.textOf(skill));
  for (const { path, size } of repertoire.manifestOf(skill).files) {
    if (path === skill.fileName || size > MAX_INSPECTED_BYTES) continue;
    const read = await repertoire.readFile({ skill, path });
    // Gone since the listing: there is nothing to inspect. What cannot be read is a problem already.
    if (read.ok && read.value.isText && !read.value.bytes.includes(0)) {
      findings.push(...locate(path, read.value.bytes.toString('utf8')));
    }
  }
  return findings;
}

const locate = (path: string, text: string): SkillFinding[] =>
  inspectText(text).map((finding) => ({ ...finding, path }));
