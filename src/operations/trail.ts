// The trail: who changed what, newest first, with the head to keep elsewhere (L5).
import { headText, TRAIL_ACTIONS, type Trail, type TrailEntry, type TrailPage } from '../identity/trail.ts';
import { ok } from '../values/result.ts';
import { TRAIL_READERS } from './access.ts';
import { cursor } from './list-skills.ts';
import { limit } from './log.ts';
import { operation } from './operation.ts';
import { list, moment, object, record, type TypeOf, text, whole } from './shape.ts';

export interface TrailPorts {
  readonly trail: Pick<Trail, 'list'>;
}

const entry = record({
  seq: whole(),
  actor: text().about('`local` for the operator, `agent:NAME` or `user:EMAIL`'),
  time: moment,
  action: text().about(`${TRAIL_ACTIONS.join(', ')}; a later version may enter others`),
  subject: text().about('What it is about: the name of an agent, a person, a skill'),
  digest: text().nullable().about('Of a version of a skill'),
  details: object.nullable().about('What else belongs to it: the roles and scopes of an agent'),
  hash: text().about('A keyed hash over the entry and the one before it'),
})
  .about('One change, and who made it')
  .named('TrailEntry');

export type TrailEntryJson = TypeOf<typeof entry>;

export const listTrail = operation({
  id: 'list_trail',
  summary: 'Who changed what, newest first',
  access: TRAIL_READERS,
  input: { cursor, limit },
  output: record({
    head: text().about(
      '`SEQ:HASH` of the newest entry: keep it elsewhere, and `repertoire trail --verify` finds a cut end',
    ),
    entries: list(entry),
    next_cursor: text().nullable(),
  }).named('TrailList'),
  run: async ({ cursor: from, limit: most }, _asking, { trail }: TrailPorts) =>
    ok(await trail.list({ limit: most, ...(from !== undefined && { cursor: from }) })),
  project: trailJson,
  http: {
    tag: 'trail',
    failures: [503],
    id: 'listTrail',
    method: 'GET',
    path: '/api/trail',
    answer: 'A page of the trail',
  },
});

export function trailJson({ head, entries, nextCursor }: TrailPage) {
  return { head: headText(head), entries: entries.map(entryJson), next_cursor: nextCursor ?? null };
}

const entryJson = ({ seq, actor, time, action, subject, digest, details, hash }: TrailEntry): TrailEntryJson => ({
  seq,
  actor,
  time: time.toISOString(),
  action,
  subject,
  digest: digest ?? null,
  details: details ?? null,
  hash,
});
