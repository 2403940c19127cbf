// Where pinned skills come from: each source with what does not match its lock (S3, S4), and, when the operator asks, whether it has
// moved on. Nothing is fetched but which commit it is at.
import { basename, isAbsolute } from 'node:path';
import type { Repertoire } from '../repertoire/repertoire.ts';
import { ok } from '../values/result.ts';
import { maySeePaths, OPERATOR_ONLY } from './access.ts';
import { type Asking, asFound, nothingFound, operation } from './operation.ts';
import { choice, count, flag, list, record, type TypeOf, text } from './shape.ts';

export interface SourcePorts {
  readonly sources: SourceBook;
  readonly repertoire: Pick<Repertoire, 'snapshot'>;
}

/** What the locks of this server say, and what is kept of it. */
export interface SourceBook {
  list(): Promise<BookList>;
  /** Asks each source which commit it has now; only the one of this name, where it is given. Ends within a minute. */
  findNewer(source: string | undefined): Promise<readonly NewerJson[]>;
}

const difference = record({
  skill: text().about('Path of the skill in the source; empty for the source as a whole'),
  path: text().about('The file below the skill, or the line of the lock; empty for the skill as a whole'),
  what: choice(['missing', 'changed', 'extra', 'mode', 'lock']),
}).named('SourceDifference');

const source = record({
  source: text().about('As the lock has it'),
  ref: text().nullable().about('What was asked for: a branch, a tag, a commit; null: the default of the source'),
  commit: text().about('The commit; of an index, the SHA-256 of its bytes'),
  paths: list(text()).about('The folders that were asked for; empty: all'),
  skills: list(
    record({
      name: text(),
      uri: text(),
      digest: text(),
      is_served: flag.about(
        'By its name. False: it is not here as the lock says, or a skill of this name comes before it',
      ),
    }),
  ),
  state: choice(['ready', 'missing', 'changed']).about(
    '`missing`: some of it is not on this machine. `changed`: some of it is not what the lock says',
  ),
  lock: choice(['project', 'global']),
  difference_count: count,
  differences: list(difference).about('The first 100'),
}).named('Source');

export type SourceJson = TypeOf<typeof source>;

const sourceList = record({
  sources: list(source).about('In the order in which they are served'),
  faults: list(text()).about('A sentence for each lock that cannot be read'),
}).named('SourceList');

export type SourceList = TypeOf<typeof sourceList>;

interface BookList extends Omit<SourceList, 'sources'> {
  readonly sources: readonly BookSource[];
}

interface BookSource extends Omit<SourceJson, 'skills'> {
  readonly skills: readonly Omit<SourceJson['skills'][number], 'is_served'>[];
}

const newer = record({
  source: text(),
  commit: text().about('Of the lock'),
  newest: text().nullable().about('That the source has now; null: it could not be asked'),
  is_outdated: flag,
  reason: text().nullable().about('Why it could not be asked'),
}).named('SourceCheck');

export type NewerJson = TypeOf<typeof newer>;

export const listSources = operation({
  id: 'list_sources',
  summary: 'The sources of the locks, and whether what is kept of each is what its lock says; every byte is read',
  access: OPERATOR_ONLY,
  input: {},
  output: sourceList,
  run: async (_input, asking, { sources, repertoire }: SourcePorts) => {
    const { sources: found, faults } = await sources.list();
    const hide = hideFor(asking);
    const { snapshot } = repertoire;
    const isServed = ({ name, uri }: { readonly name: string; readonly uri: string }) =>
      snapshot.findByName(name)?.uri === uri;
    const listed = found.map((each) => ({
      ...each,
      source: hide(each.source),
      skills: each.skills.map((skill) => ({ ...skill, is_served: isServed(skill) })),
    }));
    return ok({ sources: listed, faults: faults.map(hide) });
  },
  project: asFound,
  http: { tag: 'sources', id: 'listSources', method: 'GET', path: '/api/sources', answer: 'The sources' },
});

export const checkSources = operation({
  id: 'check_sources',
  summary: 'Ask the sources which commit they have now, as `repertoire update` does. Nothing is changed',
  access: OPERATOR_ONLY,
  input: { source: text({ most: 2_048 }).about('Only this one, as the list of sources has it').optional() },
  output: record({ sources: list(newer) }).named('SourceCheckList'),
  run: async ({ source: named }, asking, { sources }: SourcePorts) => {
    const hide = hideFor(asking);
    const all = (await sources.list()).sources.map((each) => each.source);
    const wanted = named === undefined ? undefined : all.find((each) => each === named || hide(each) === named);
    if (named !== undefined && wanted === undefined) return nothingFound('a source of this name in the locks');
    const found = await sources.findNewer(wanted);
    const isHidden = !maySeePaths(asking);
    return ok({
      sources: found.map((each) => ({
        ...each,
        source: hide(each.source),
        // What git says of a directory names it.
        reason: isHidden && each.reason !== null && hide(each.source) !== each.source ? UNREADABLE : each.reason,
      })),
    });
  },
  project: asFound,
  http: {
    tag: 'sources',
    id: 'checkSources',
    method: 'POST',
    path: '/api/sources/check',
    bodyName: 'SourceCheckRequest',
    bodyAbout: 'Which sources',
    answer: 'What each has now',
    failures: [404],
  },
});

const UNREADABLE = 'its directory cannot be read; look at it on the machine of the server';

/** A directory outside the project is shown by its last folder to those who may not see paths. */
function hideFor(asking: Asking): (text: string) => string {
  if (maySeePaths(asking)) return asFound;
  return (text) => {
    const path = text.replace(/^file:\/\//, '');
    if (isAbsolute(path)) return basename(path);
    return text.replace(/"[^"]*[\\/]([^"\\/]+)"/g, '"$1"');
  };
}
