// Problems by the root and the file that they are in, with the way to the document where there is one. Pure.

import { pathTo } from '../browser/router.ts';
import type { DocumentSummary, Problem } from './shapes.ts';

/** `error`: it is not served, or only its last good text. `warning`: it is served, but not everywhere, not by a name, or not as written. */
export type ProblemSeverity = Problem['severity'];

export interface FileProblems {
  readonly path: string;
  /** Of the document's page; `undefined` where nothing of it is served. */
  readonly address: string | undefined;
  readonly problems: readonly Problem[];
}

export interface RootProblems {
  readonly title: string;
  readonly files: readonly FileProblems[];
}

type Served = Pick<DocumentSummary, 'uri' | 'source'>;

export function groupProblems(
  problems: readonly Problem[],
  documents: readonly Served[],
  only: ProblemSeverity | undefined,
): readonly RootProblems[] {
  const byRoot = new Map<string, Map<string, FileProblems>>();
  const find = createFinder(documents);
  for (const problem of problems) {
    if (only !== undefined && problem.severity !== only) continue;
    // What is in no root is no document.
    const title = problem.source ?? 'Typed skills';
    const files = byRoot.get(title) ?? new Map<string, FileProblems>();
    byRoot.set(title, files);
    const document = find(problem);
    const address = document === undefined ? undefined : pathTo('documents', document.uri);
    const before = files.get(problem.path) ?? { path: problem.path, address, problems: [] };
    files.set(problem.path, { ...before, problems: [...before.problems, problem] });
  }
  return [...byRoot].map(([title, files]) => ({ title, files: [...files.values()] }));
}

export function countBySeverity(problems: readonly Problem[]): Readonly<Record<ProblemSeverity, number>> {
  const counts = { error: 0, warning: 0, advice: 0 };
  for (const { severity } of problems) counts[severity] += 1;
  return counts;
}

/** The document whose folder the file is in, or a folder above it. */
function createFinder(documents: readonly Served[]) {
  const byFolder = new Map<string, Served[]>();
  for (const document of documents) {
    const folder = folderOf(document.uri);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), document]);
  }
  return ({ path, source }: Problem): Served | undefined => {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const found = byFolder.get(path.slice(0, end))?.find((served) => served.source === source);
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
