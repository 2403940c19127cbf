// The shapes that the API answers with, taken from its contract: a change there is a type error here.

import type { Scope as AnyScope } from '../../../src/identity/caller.ts';
import type * as activity from '../../../src/operations/activity.ts';
import type * as agents from '../../../src/operations/agents.ts';
import type * as connect from '../../../src/operations/connect.ts';
import type * as documents from '../../../src/operations/document-json.ts';
import type * as library from '../../../src/operations/library.ts';
import type * as libraryCheck from '../../../src/operations/library-check.ts';
import type * as lists from '../../../src/operations/list-documents.ts';
import type * as log from '../../../src/operations/log.ts';
import type * as people from '../../../src/operations/people.ts';
import type * as runs from '../../../src/operations/runs.ts';
import type { searchResults } from '../../../src/operations/search-skills.ts';
import type { TypeOf } from '../../../src/operations/shape.ts';
import type * as sources from '../../../src/operations/sources.ts';
import type * as stats from '../../../src/operations/stats.ts';
import type * as trail from '../../../src/operations/trail.ts';
import type * as typed from '../../../src/operations/typed-skills.ts';
import type * as upkeep from '../../../src/operations/upkeep.ts';
import type * as dashboard from '../../../src/surfaces/http/contract/dashboard.ts';
import type * as service from '../../../src/surfaces/http/contract/service.ts';

type OutputOf<O extends { readonly output: unknown }> = TypeOf<O['output']>;

export type DocumentList = OutputOf<typeof lists.listDocuments>;
export type DocumentSummary = documents.SummaryJson;
export type SkillDocument = TypeOf<typeof documents.document>;
export type DocumentFile = SkillDocument['files'][number];
export type Finding = documents.FindingJson;
export type Problem = documents.ProblemJson;
export type ProblemList = OutputOf<typeof lists.listProblems>;
export type Upkeep = OutputOf<typeof upkeep.getUpkeep>;
export type UpkeepFinding = Upkeep['findings'][number];
export type SearchResults = TypeOf<typeof searchResults>;

export type { FailureReason } from '../../../src/operations/operation.ts';

export type Definition = OutputOf<typeof typed.getTypedSkill>;
export type DefinitionList = OutputOf<typeof typed.listTypedSkills>;
export type InvocationResult = TypeOf<typeof typed.invocationResult>;
/** `status`: a run that has not ended yet. */
export type InvocationAnswer = Exclude<OutputOf<typeof typed.invokeSkill>, AcceptedInvocation>;
export type AcceptedInvocation = TypeOf<typeof typed.accepted>;

export type InvocationList = OutputOf<typeof log.listInvocations>;
export type InvocationWithResult = OutputOf<typeof runs.getInvocation>;
export type RunList = OutputOf<typeof runs.listRuns>;
export type Run = runs.RunJson;
export type RunCount = OutputOf<typeof runs.countRuns>;
export type ScheduleList = OutputOf<typeof runs.listSchedules>;
export type Schedule = ScheduleList['schedules'][number];
export type ActivityList = OutputOf<typeof activity.listActivity>;
export type ActivityChoices = OutputOf<typeof activity.listActivityChoices>;
export type UseList = OutputOf<typeof activity.listUses>;
export type Uses = OutputOf<typeof activity.getUses>;
export type Stats = TypeOf<typeof stats.stats>;
export type StatsByKey = TypeOf<typeof stats.statsByKey>;

export type SourceList = sources.SourceList;
export type Source = sources.SourceJson;
export type SourceCheck = sources.NewerJson;
export type SourceCheckList = OutputOf<typeof sources.checkSources>;

export type Readiness = TypeOf<typeof service.readiness>;

export type Me = TypeOf<typeof dashboard.me>;
export type Overview = TypeOf<typeof dashboard.overview>;
export type Agent = agents.AgentJson;
export type AgentList = OutputOf<typeof agents.listAgents>;
export type AgentWithToken = OutputOf<typeof agents.addAgent>;
export type Scope = AnyScope;
export type Person = people.PersonJson;
export type PersonList = OutputOf<typeof people.listPeople>;
export type GrantedPerson = OutputOf<typeof people.grantPerson>;

export type LibraryList = OutputOf<typeof library.listLibrary>;
export type LibraryVersions = OutputOf<typeof library.listVersions>;
export type LibraryVersion = LibraryVersions['versions'][number];
export type LibraryVersionWithFiles = OutputOf<typeof library.getVersion>;
export type LibraryDiff = OutputOf<typeof library.compareLibraryVersions>;
export type VersionCheck = OutputOf<typeof libraryCheck.checkVersion>;
export type MadeVersion = OutputOf<typeof library.putVersion>;

export type TrailEntry = trail.TrailEntryJson;
export type TrailList = OutputOf<typeof trail.listTrail>;

export type CommandWords = connect.CommandWords;
export type Host = connect.HostJson;
/** Stands for the token in what is shown. */
export type TokenPlace = typeof connect.TOKEN_PLACE;
export type HostList = OutputOf<typeof connect.listHosts>;
export type ConnectionList = OutputOf<typeof connect.listConnections>;
export type Connection = ConnectionList['connections'][number];
