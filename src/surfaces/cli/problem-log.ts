// What is wrong with skills, as events of a running server: one for each problem, when it is new.
import type { Catalog } from '../../catalog/catalog.ts';
import type { Problem } from '../../catalog/view/skill.ts';
import type { Severity } from '../../document/issue.ts';
import type { RuntimeEvent, RuntimeLog } from '../../skills/record/runtime-log.ts';
import { counted } from '../../text/counted.ts';

/** At a time: whoever has more runs `repertoire doctor`, and a host that reads slowly loses nothing else over them. */
const MOST_AT_ONCE = 100;

/** Tells the problems that there are, then those that come. Answers what stops it. */
export function followProblems(catalog: Pick<Catalog, 'current' | 'subscribe'>, log: RuntimeLog): () => void {
  let told: ReadonlySet<string> = new Set();
  const tell = (problems: readonly Problem[]): void => {
    const events = new Map(problems.map((problem) => [sentenceOf(problem), problem.severity]));
    const fresh = [...events].filter(([sentence]) => !told.has(sentence));
    told = new Set(events.keys());
    if (fresh.length > MOST_AT_ONCE)
      log({
        level: 'warn',
        message: `${counted(fresh.length, 'problem')}, of which ${MOST_AT_ONCE} follow: repertoire doctor shows all`,
      });
    for (const [message, severity] of fresh.slice(0, MOST_AT_ONCE)) log({ level: levelOf[severity], message });
  };
  tell(catalog.current.problems);
  return catalog.subscribe(({ snapshot }) => tell(snapshot.problems));
}

const levelOf = { error: 'error', warning: 'warn', advice: 'info' } as const satisfies Record<
  Severity,
  RuntimeEvent['level']
>;

/** With the whole path: who reads a host's log does not know in which folder the server was started. */
function sentenceOf({ rootPath, path, line, message, fix }: Problem): string {
  const file = path === '.' ? rootPath : `${rootPath}/${path}`;
  return `${file}${line === undefined ? '' : `:${line}`}: ${message}. ${fix}`;
}
