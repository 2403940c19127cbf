// What an author is told while a skill is written: what refuses it, the rules that it breaks, and what looks suspicious in it (L7).
import { createTimeSlice } from '../async/time-slice.ts';
import type { FrontmatterReader } from '../document/frontmatter.ts';
import type { Issue } from '../document/issue.ts';
import { parseSkillDocument } from '../document/skill-document.ts';
import { adviseDocument, validateDocument } from '../document/validate.ts';
import { checkFiles, type GivenFile } from './check-files.ts';
import { inspectSliced, type LocatedFinding } from './compare-versions.ts';

export interface Hints {
  /** Sentences: with one of them it is no version. */
  readonly faults: readonly string[];
  /** Warnings and advice about its SKILL.md. */
  readonly issues: readonly Issue[];
  readonly findings: readonly LocatedFinding[];
}

const SLICE_MS = 5;

/** Others are answered meanwhile. */
export async function findHints(name: string, files: readonly GivenFile[], yaml: FrontmatterReader): Promise<Hints> {
  const checked = checkFiles(name, files, yaml);
  return {
    faults: checked.ok ? [] : checked.failure,
    issues: issuesOf(name, files, yaml),
    findings: await findingsIn(files),
  };
}

/** What is an error is among the faults. */
function issuesOf(name: string, files: readonly GivenFile[], yaml: FrontmatterReader): readonly Issue[] {
  const text = files.find(({ path }) => /^skill\.md$/i.test(path))?.text;
  const parsed = text === undefined ? undefined : parseSkillDocument(text, yaml);
  if (text === undefined || parsed?.document === undefined) return [];
  const sizes = files.map((file) => ({ path: file.path, size: Buffer.byteLength(file.text ?? file.base64 ?? '') }));
  return [
    ...parsed.issues,
    ...validateDocument(parsed.document, name),
    ...adviseDocument(parsed.document, { skillBytes: Buffer.byteLength(text), files: sizes }),
  ];
}

async function findingsIn(files: readonly GivenFile[]): Promise<readonly LocatedFinding[]> {
  const slice = createTimeSlice(SLICE_MS);
  const findings: LocatedFinding[] = [];
  for (const { path, text } of files) {
    if (text === undefined) continue;
    const found = await inspectSliced(text, slice);
    findings.push(...found.map((finding) => ({ ...finding, path })));
  }
  return findings;
}
