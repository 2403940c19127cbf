// Problems by the root and the file that they are in, with the way to the document where there is one. Pure.
import type { DocumentSummary, Problem } from './api/shapes.ts';
import { pathTo } from './router.ts';

/** `error`: it is not served by its name. `warning`: it is served, but not everywhere or not as written. */
export type ProblemSeverity = 'error' | 'warning';

/** Newer servers say of each problem which root it is in and how bad it is. */
export type ListedProblem = Problem & { readonly source?: string; readonly severity?: string };

export interface RatedProblem extends ListedProblem {
  readonly severity: ProblemSeverity;
}

export interface FileProblems {
  readonly path: string;
  /** Of the document's page; `undefined` where nothing of it is served. */
  readonly address: string | undefined;
  readonly problems: readonly RatedProblem[];
}

export interface RootProblems {
  readonly title: string;
  readonly files: readonly FileProblems[];
}

const TYPED = 'typed-skill-refused';

type Served = Pick<DocumentSummary, 'uri' | 'source'>;

export function groupProblems(
  problems: readonly ListedProblem[],
  documents: readonly Served[],
  only: ProblemSeverity | undefined,
): readonly RootProblems[] {
  const byRoot = new Map<string, Map<string, FileProblems>>();
  const find = createFinder(documents);
  for (const problem of problems) {
    const document = find(problem);
    const severity = severityOf(problem, document);
    if (only !== undefined && severity !== only) continue;
    const title = problem.rule === TYPED ? 'Typed skills' : (problem.source ?? document?.source ?? 'Not served');
    const files = byRoot.get(title) ?? new Map<string, FileProblems>();
    byRoot.set(title, files);
    const address = document === undefined ? undefined : pathTo('documents', document.uri);
    const before = files.get(problem.path) ?? { path: problem.path, address, problems: [] };
    files.set(problem.path, { ...before, problems: [...before.problems, { ...problem, severity }] });
  }
  return [...byRoot].map(([title, files]) => ({ title, files: [...files.values()] }));
}

export function countBySeverity(problems: readonly ListedProblem[], documents: readonly Served[]) {
  const find = createFinder(documents);
  const counts: Record<ProblemSeverity, number> = { error: 0, warning: 0 };
  for (const problem of problems) counts[severityOf(problem, find(problem))] += 1;
  return counts;
}

/** Without the server's word: what is served all the same cannot be worse than a warning. */
function severityOf({ severity, rule }: ListedProblem, document: Served | undefined): ProblemSeverity {
  if (severity !== undefined) return severity === 'error' ? 'error' : 'warning';
  return document === undefined || rule === TYPED ? 'error' : 'warning';
}

/** The document whose folder the file is in, or a folder above it. */
function createFinder(documents: readonly Served[]) {
  const byFolder = new Map<string, Served[]>();
  for (const document of documents) {
    const folder = folderOf(document.uri);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), document]);
  }
  return ({ path, source, rule }: ListedProblem): Served | undefined => {
    if (rule === TYPED) return undefined;
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const found = byFolder
        .get(path.slice(0, end))
        ?.find((served) => source === undefined || served.source === source);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Problems name a file below its root; so do URIs. */
function folderOf(uri: string): string {
  const path = uri.replace(/^skill:\/\//, '').replace(/\/[^/]*$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
