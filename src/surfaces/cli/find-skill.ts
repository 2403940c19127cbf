// A skill by what a person typed, or one sentence about why there is none by that name. Pure.

import type { Problem, Skill } from '../../catalog/view/skill.ts';
import type { Snapshot } from '../../catalog/view/snapshot.ts';
import { counted } from '../../text/counted.ts';
import { findNearest, orList } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import { fail, ok, type Result } from '../../values/result.ts';

type Served = Pick<Snapshot, 'skills' | 'problems' | 'findByName' | 'findByUri' | 'findFolder'>;

export function findSkill(wanted: string, snapshot: Served): Result<Skill, string> {
  const skill = wanted.startsWith('skill://') ? snapshot.findByUri(wanted) : findNamed(wanted, snapshot);
  return skill ? ok(skill) : fail(toOneLine(explainAbsence(wanted, snapshot)));
}

/** People see folders, so the name of one does when no skill bears it. */
function findNamed(wanted: string, snapshot: Served): Skill | undefined {
  const named = snapshot.findByName(wanted);
  if (named) return named;
  const folder = snapshot.findFolder(wanted);
  return folder && 'skill' in folder ? folder.skill : undefined;
}

function explainAbsence(wanted: string, { skills, problems }: Served): string {
  const broken = findBroken(wanted, problems);
  if (broken) return explainBroken(wanted, broken);
  const byUri = wanted.startsWith('skill://');
  const near = byUri ? nearestUris(wanted, skills) : findNearest(wanted, namesOf(skills), 3);
  const all = `repertoire list shows the ${counted(skills.length, 'skill')}`;
  const hint = near.length > 0 ? `did you mean ${orList(near)}?` : all;
  return `No skill ${byUri ? 'has the URI' : 'is named'} "${wanted}": ${skills.length === 0 ? 'there are no skills' : hint}`;
}

function explainBroken(wanted: string, { source, path, line, message, fix }: Problem): string {
  const place = `${source}/${path}${line === undefined ? '' : `:${line}`}`;
  return `Cannot show "${wanted}": ${place} is broken. ${message}. ${fix}`;
}

function* namesOf(skills: readonly Skill[]): Generator<string> {
  for (const skill of skills) yield skill.name;
}

/** Compared without what all of them share: it would make any two look alike. */
function nearestUris(wanted: string, skills: readonly Skill[]): readonly string[] {
  const middles = skills.map((skill) => middleOf(skill.uri));
  return findNearest(middleOf(wanted), middles, 3).map((middle) => `skill://${middle}/SKILL.md`);
}

const middleOf = (uri: string): string => uri.replace(/^skill:\/\//, '').replace(/\/SKILL\.md$/i, '');

/** The skill may be there and broken: then the reason is the answer, not a name that happens to be near. */
function findBroken(wanted: string, problems: readonly Problem[]): Problem | undefined {
  const folder = wanted.trim().toLowerCase();
  return problems.find(
    ({ severity, path }) => severity === 'error' && path.toLowerCase().split('/').slice(0, -1).at(-1) === folder,
  );
}
