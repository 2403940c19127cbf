// What approvers do with versions of the library: approve, reject, roll back, withdraw, delete; and the policy (L2, L3).
import type { Choice, Library } from '../library/library.ts';
import { ok } from '../values/result.ts';
import { APPROVERS, OPERATOR_ONLY } from './access.ts';
import { DIGEST } from './library.ts';
import {
  actorFor,
  type LibraryPorts,
  libraryAnswer,
  librarySkill,
  libraryVersion,
  skillJson,
  versionJson,
} from './library-json.ts';
import { type Asking, asFound, operation } from './operation.ts';
import { unstorable } from './parameters.ts';
import { choice, record, text } from './shape.ts';

const API = { tag: 'library', method: 'POST', failures: [404, 409, 503] } as const;

const name = text({ least: 1, most: 200, fault: unstorable }).about('Name of the skill');
const digest = text({ pattern: DIGEST, wanted: 'sha256: and 64 hexadecimal digits' });
const message = text({ most: 2_000 }).about('Why').usual('');

const oneVersion = record({ version: libraryVersion }).named('DecidedVersion');
const oneSkill = record({ skill: librarySkill }).named('ChangedSkill');

type Decide = Library['approve'];

async function decide(
  act: Decide,
  chosen: Omit<Choice, 'actor'>,
  { caller }: Asking,
  { refreshLibrary }: LibraryPorts,
) {
  const decided = libraryAnswer(await act({ ...chosen, actor: actorFor(caller) }));
  if (!decided.ok) return decided;
  refreshLibrary?.();
  return ok({ version: versionJson(decided.value) });
}

type Change = Library['withdraw'];

async function change(
  act: Change,
  { name: of }: { readonly name: string },
  { caller }: Asking,
  { refreshLibrary }: LibraryPorts,
) {
  const changed = libraryAnswer(await act(of, actorFor(caller)));
  if (!changed.ok) return changed;
  refreshLibrary?.();
  return ok({ skill: skillJson(changed.value) });
}

export const approveVersion = operation({
  id: 'approve_version',
  summary: 'Approve a version that waits: it is served from now on, on every replica within a second',
  access: APPROVERS,
  input: { name, digest: digest.about('Of the version'), message },
  output: oneVersion,
  run: (chosen, asking, ports: LibraryPorts) => decide(ports.library.approve, chosen, asking, ports),
  project: asFound,
  http: {
    ...API,
    id: 'approveVersion',
    path: '/api/library/{name}/versions/{digest}/approve',
    bodyName: 'ApprovalRequest',
    bodyAbout: 'What to say with it',
    answer: 'The version',
  },
});

export const rejectVersion = operation({
  id: 'reject_version',
  summary: 'Reject a version that waits',
  access: APPROVERS,
  input: { name, digest: digest.about('Of the version'), message },
  output: oneVersion,
  run: (chosen, asking, ports: LibraryPorts) => decide(ports.library.reject, chosen, asking, ports),
  project: asFound,
  http: {
    ...API,
    id: 'rejectVersion',
    path: '/api/library/{name}/versions/{digest}/reject',
    bodyName: 'RejectionRequest',
    bodyAbout: 'What to say with it',
    answer: 'The version',
  },
});

export const rollBackSkill = operation({
  id: 'roll_back_skill',
  summary: 'Serve an approved version of a skill again',
  access: APPROVERS,
  input: { name, to: digest.about('The digest of an approved version of that name'), message },
  output: oneVersion,
  run: ({ name: of, to, message: why }, asking, ports: LibraryPorts) =>
    decide(ports.library.rollBack, { name: of, digest: to, message: why }, asking, ports),
  project: asFound,
  http: {
    ...API,
    id: 'rollBackSkill',
    path: '/api/library/{name}/rollback',
    bodyName: 'RollbackRequest',
    bodyAbout: 'Which version',
    answer: 'The version that is served now',
  },
});

export const withdrawSkill = operation({
  id: 'withdraw_skill',
  summary: 'Serve no version of a skill any more; its versions stay in the library',
  access: APPROVERS,
  input: { name },
  output: oneSkill,
  run: (chosen, asking, ports: LibraryPorts) => change(ports.library.withdraw, chosen, asking, ports),
  project: asFound,
  http: {
    ...API,
    id: 'withdrawSkill',
    path: '/api/library/{name}/withdraw',
    answer: 'The skill, without a current version',
    failures: [404, 503],
  },
});

export const discardVersion = operation({
  id: 'discard_version',
  summary: 'Delete a version that was never served, for good; what was served stays readable by its digest',
  access: APPROVERS,
  input: { name, digest: digest.about('Of the version') },
  output: oneVersion,
  run: async ({ name: of, digest: which }, { caller }, { library }: LibraryPorts) => {
    const done = libraryAnswer(await library.discard({ name: of, digest: which, actor: actorFor(caller) }));
    return done.ok ? ok({ version: versionJson(done.value) }) : done;
  },
  project: asFound,
  http: {
    ...API,
    method: 'DELETE',
    id: 'discardVersion',
    path: '/api/library/{name}/versions/{digest}',
    answer: 'The version as it was',
  },
});

export const setReviewPolicy = operation({
  id: 'set_review_policy',
  summary: 'Set whether every version waits until someone other than its author has approved it',
  access: OPERATOR_ONLY,
  input: { review: choice(['off', 'on']).about('on: no one approves their own version') },
  output: record({ review: choice(['off', 'on']) }).named('ReviewPolicy'),
  run: async ({ review }, { caller }, { library }: LibraryPorts) => {
    await library.setPolicy(review, actorFor(caller));
    return ok({ review: await library.policy() });
  },
  project: asFound,
  http: {
    ...API,
    id: 'setReviewPolicy',
    path: '/api/review/policy',
    bodyName: 'ReviewPolicyRequest',
    bodyAbout: 'The policy',
    answer: 'The policy as it is now',
    failures: [503],
  },
});

export const deleteSkill = operation({
  id: 'delete_skill',
  summary: 'Take a skill out of the library; its versions stay readable by their digests',
  access: APPROVERS,
  input: { name },
  output: oneSkill,
  run: (chosen, asking, ports: LibraryPorts) => change(ports.library.remove, chosen, asking, ports),
  project: asFound,
  http: {
    ...API,
    method: 'DELETE',
    id: 'deleteSkill',
    path: '/api/library/{name}',
    answer: 'The skill as it was',
    failures: [404, 503],
  },
});
