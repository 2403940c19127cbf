// The shapes that the API answers with, taken from its contract: a change there is a type error here.
import type { z } from 'zod';
import type * as dashboard from '../../../src/surfaces/http/contract/dashboard.ts';
import type * as documents from '../../../src/surfaces/http/contract/documents.ts';
import type * as log from '../../../src/surfaces/http/contract/log.ts';
import type * as service from '../../../src/surfaces/http/contract/service.ts';
import type * as typed from '../../../src/surfaces/http/contract/typed-skills.ts';

export type DocumentList = z.output<typeof documents.documentList>;
export type DocumentSummary = z.output<typeof documents.documentSummary>;
export type SkillDocument = z.output<typeof documents.document>;
export type DocumentFile = z.output<typeof documents.documentFile>;
export type Finding = z.output<typeof documents.finding>;
export type Problem = z.output<typeof documents.problem>;
export type ProblemList = z.output<typeof documents.problemList>;
export type SearchResults = z.output<typeof documents.searchResults>;

export type { FailureReason } from '../../../src/surfaces/http/contract/failure.ts';

export type Definition = z.output<typeof typed.definition>;
export type DefinitionList = z.output<typeof typed.definitionList>;
export type InvocationResult = z.output<typeof typed.invocationResult>;
export type InvocationAnswer = z.output<typeof typed.invocationAnswer>;

export type InvocationList = z.output<typeof log.invocationList>;
export type InvocationWithResult = z.output<typeof log.invocationWithResult>;
export type LoadList = z.output<typeof log.loadList>;
export type Stats = z.output<typeof log.stats>;

export type Readiness = z.output<typeof service.readiness>;

export type Me = z.output<typeof dashboard.me>;
export type Overview = z.output<typeof dashboard.overview>;
export type Agent = z.output<typeof dashboard.agent>;
export type AgentList = z.output<typeof dashboard.agentList>;
export type AgentWithToken = z.output<typeof dashboard.agentWithToken>;
