// What the doctor concludes from a catalog, the typed skills and the machine. Pure.
import type { Catalog } from '../../catalog/catalog.ts';
import type { Problem } from '../../catalog/view/skill.ts';
import type { Issue } from '../../document/issue.ts';
import type { StoreKind } from '../../settings/store-place.ts';
import type { SourceState } from '../../sources/check-source.ts';
import type { RootedFinding } from './inspect-skill.ts';
import { type RootJson, rootJson } from './report-json.ts';
import type { TypedDefinitions } from './typed-definitions.ts';

export interface Machine {
  readonly node: string;
  readonly platform: string;
  /** Directories that one user may watch on Linux; null where there is no such limit. */
  readonly max_user_watches: number | null;
}

/** Which store servers and commands use that are started like this. */
export interface StoreFacts {
  readonly kind: StoreKind;
  /** What says that it is a PostgreSQL; null for the embedded one. */
  readonly named_by: '--database-url' | 'DATABASE_URL' | null;
  /** Of local files: the operator's token, and the embedded store. */
  readonly data_directory: string;
}

interface SourceFacts {
  readonly source: string;
  readonly ref: string | null;
  readonly commit: string;
  readonly paths: readonly string[];
  readonly skill_count: number;
  readonly state: SourceState;
  /** A line for each file that is not what the lock says. */
  readonly differences: readonly string[];
}

/** What --json prints, with whole problems. */
export interface DoctorReport extends Machine {
  readonly version: string;
  readonly store: StoreFacts;
  readonly roots: readonly RootJson[];
  /** What the locks name; empty where there is none. */
  readonly sources: readonly SourceFacts[];
  readonly skill_count: number;
  /** Names of the skills whose last good text is served (D8). */
  readonly fallback: readonly string[];
  /** Absent where no typed skills were asked for. */
  readonly typed_skill_count?: number;
  readonly refused_typed_skills?: readonly Issue[];
  readonly problems: readonly Problem[];
  /** Of high risk; `check` has the others, too. */
  readonly findings: readonly RootedFinding[];
  /** About this machine rather than a skill. */
  readonly issues: readonly Issue[];
}

export function createDoctorReport(
  { current, roots }: Pick<Catalog, 'current' | 'roots'>,
  { runtime, skills, refused }: Pick<TypedDefinitions, 'runtime' | 'skills' | 'refused'>,
  facts: Machine & Pick<DoctorReport, 'version' | 'store' | 'findings' | 'sources'>,
): DoctorReport {
  const hasTyped = runtime !== undefined || refused.length > 0;
  return {
    ...facts,
    roots: roots.map(rootJson),
    skill_count: current.skills.length,
    fallback: current.skills.filter((skill) => skill.availability === 'fallback').map((skill) => skill.name),
    ...(hasTyped && { typed_skill_count: skills.length, refused_typed_skills: refused }),
    problems: current.problems,
    issues: [...nodeIssues(facts), ...watchIssues({ current, roots }, facts)],
  };
}

export const allIssues = ({ problems, refused_typed_skills: refused = [], issues }: DoctorReport): readonly Issue[] => [
  ...problems,
  ...refused,
  ...issues,
];

/** As in `check`, a finding of high risk is one. */
export const hasErrors = (report: DoctorReport): boolean =>
  report.findings.length > 0 ||
  allIssues(report).some(isError) ||
  report.sources.some(({ state }) => state !== 'ready');

export const isError = ({ severity }: Issue): boolean => severity === 'error';

/** As `engines` in package.json has it. */
function nodeIssues({ node }: Machine): readonly Issue[] {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 3) || major > 22) return [];
  return [
    {
      rule: 'node-too-old',
      severity: 'error',
      message: `Cannot rely on Node ${node}: supported are 20.19 and later versions of 20, and 22.3 and later`,
      fix: 'Install Node 22.3 or later',
    },
  ];
}

/** Skills have a few folders each; with the other programs of the user this is where watches begin to run out. */
const watchesPerSkill = 3;

function watchIssues(
  { current, roots }: Pick<Catalog, 'current' | 'roots'>,
  { max_user_watches: most }: Machine,
): readonly Issue[] {
  const polled = roots.some((root) => root.watching === 'polled');
  const near = most !== null && current.skills.length * watchesPerSkill > most / 2;
  if (!polled && !near) return [];
  const raise = 'Raise it: sudo sysctl fs.inotify.max_user_watches=524288';
  return [
    {
      rule: polled ? 'polled' : 'watch-limit-near',
      severity: 'warning',
      message: polled
        ? 'Cannot watch every folder: changes are found by checking every few seconds, not at once'
        : `Watches may run out: this system allows ${most} per user`,
      fix: most === null ? 'Put skills on a local disk, where folders can be watched' : raise,
    },
  ];
}
