// Everything `doctor` knows, as a value: the text and --json show the same.
import type { Catalog, RootStatus } from '../../catalog/catalog.ts';
import type { Problem } from '../../catalog/view/skill.ts';
import type { Issue } from '../../document/issue.ts';

export interface DoctorReport {
  readonly version: string;
  readonly machine: Machine;
  readonly roots: readonly RootStatus[];
  readonly skillCount: number;
  /** Names of the skills whose last good text is served (D8). */
  readonly fallback: readonly string[];
  readonly problems: readonly Problem[];
  /** Absent where no typed skills were asked for. */
  readonly typed: { readonly count: number; readonly refused: readonly Issue[] } | undefined;
  /** About this machine rather than a skill. */
  readonly issues: readonly Issue[];
}

export interface Machine {
  readonly nodeVersion: string;
  readonly platform: string;
  /** Directories that one user may watch on Linux; `undefined` where there is no such limit. */
  readonly maxWatches: number | undefined;
}

export function createDoctorReport(
  catalog: Pick<Catalog, 'current' | 'roots'>,
  facts: Pick<DoctorReport, 'version' | 'machine' | 'typed'>,
): DoctorReport {
  const { skills, problems } = catalog.current;
  return {
    ...facts,
    roots: catalog.roots,
    skillCount: skills.length,
    fallback: skills.filter((skill) => skill.availability === 'fallback').map((skill) => skill.name),
    problems,
    issues: [...nodeIssues(facts.machine), ...watchIssues(catalog, facts.machine)],
  };
}

export const allIssues = ({ problems, typed, issues }: DoctorReport): readonly Issue[] => [
  ...problems,
  ...(typed?.refused ?? []),
  ...issues,
];

export const hasErrors = (report: DoctorReport): boolean =>
  allIssues(report).some((issue) => issue.severity === 'error');

/** As `engines` in package.json has it. */
function nodeIssues({ nodeVersion }: Machine): readonly Issue[] {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 3) || major > 22) return [];
  return [
    {
      rule: 'node-too-old',
      severity: 'error',
      message: `Cannot promise to work on Node ${nodeVersion}: it is neither 20.19 or a later 20, nor 22.3 or later`,
      fix: 'Install Node 22.3 or later',
    },
  ];
}

/** Skills have a few folders each; with the other programs of the user this is where watches begin to run out. */
const watchesPerSkill = 3;

function watchIssues(catalog: Pick<Catalog, 'current' | 'roots'>, { maxWatches }: Machine): readonly Issue[] {
  const polled = catalog.roots.some((root) => root.watching === 'polled');
  const near = maxWatches !== undefined && catalog.current.skills.length * watchesPerSkill > maxWatches / 2;
  if (!polled && !near) return [];
  const raise = 'Raise it: sudo sysctl fs.inotify.max_user_watches=524288';
  return [
    {
      rule: polled ? 'polled' : 'watch-limit-near',
      severity: 'warning',
      message: polled
        ? 'Cannot watch every folder: changes are looked for every few seconds instead, and are not seen at once'
        : `Watches may run out: this system allows ${maxWatches} per user`,
      fix: maxWatches === undefined ? 'Put skills on a local disk, where folders can be watched' : raise,
    },
  ];
}
