// The shapes that the API answers with, taken from its contract: a change there is a type error here.
import type * as activity from '../../../src/operations/activity.ts';
import type * as agents from '../../../src/operations/agents.ts';
import type * as connect from '../../../src/operations/connect.ts';
import type * as documents from '../../../src/operations/document-json.ts';
import type * as lists from '../../../src/operations/list-documents.ts';
import type * as log from '../../../src/operations/log.ts';
import type { searchResults } from '../../../src/operations/search-skills.ts';
import type { TypeOf } from '../../../src/operations/shape.ts';
import type * as stats from '../../../src/operations/stats.ts';
import type * as typed from '../../../src/operations/typed-skills.ts';
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
export type SearchResults = TypeOf<typeof searchResults>;

export type { FailureReason } from '../../../src/operations/operation.ts';

export type Definition = OutputOf<typeof typed.getTypedSkill>;
export type DefinitionList = OutputOf<typeof typed.listTypedSkills>;
export type InvocationResult = TypeOf<typeof typed.invocationResult>;
export type InvocationAnswer = OutputOf<typeof typed.invokeSkill>;

export type InvocationList = OutputOf<typeof log.listInvocations>;
export type InvocationWithResult = OutputOf<typeof log.getInvocation>;
export type ActivityList = OutputOf<typeof activity.listActivity>;
export type ActivityChoices = OutputOf<typeof activity.listActivityChoices>;
export type UseList = OutputOf<typeof activity.listUses>;
export type Uses = OutputOf<typeof activity.getUses>;
export type Stats = TypeOf<typeof stats.stats>;
export type StatsByKey = TypeOf<typeof stats.statsByKey>;

export type Readiness = TypeOf<typeof service.readiness>;

export type Me = TypeOf<typeof dashboard.me>;
export type Overview = TypeOf<typeof dashboard.overview>;
export type Agent = agents.AgentJson;
export type AgentList = OutputOf<typeof agents.listAgents>;
export type AgentWithToken = OutputOf<typeof agents.addAgent>;

export type CommandWords = connect.CommandWords;
export type Host = connect.HostJson;
/** Stands for the token in what is shown. */
export type TokenPlace = typeof connect.TOKEN_PLACE;
export type HostList = OutputOf<typeof connect.listHosts>;
export type ConnectionList = OutputOf<typeof connect.listConnections>;
export type Connection = ConnectionList['connections'][number];
