// Every operation. To add one: a file beside this one, and a line here or, where hosts get it as a tool, in documents.ts.
import { getUses, listActivity, listActivityChoices, listUses } from './activity.ts';
import { type AgentPorts, addAgent, listAgents, revokeAgent } from './agents.ts';
import { type ClientPorts, listClients, revokeClient } from './clients.ts';
import { type ConnectPorts, listConnections, listHosts } from './connect.ts';
import { type DocumentPorts, documentOperations } from './documents.ts';
import { compareLibraryVersions, getVersion, listLibrary, listVersions, putVersion } from './library.ts';
import { checkVersion } from './library-check.ts';
import {
  approveVersion,
  deleteSkill,
  discardVersion,
  rejectVersion,
  rollBackSkill,
  setReviewPolicy,
  withdrawSkill,
} from './library-decisions.ts';
import type { LibraryPorts } from './library-json.ts';
import { type ListPorts, listDocuments, listProblems } from './list-documents.ts';
import { type LogPorts, listInvocations, listLoads } from './log.ts';
import type { Operation } from './operation.ts';
import { grantPerson, listPeople, type PeoplePorts, ungrantPerson } from './people.ts';
import {
  approveRun,
  cancelInvocation,
  countRuns,
  getInvocation,
  listRuns,
  listSchedules,
  type RunPorts,
  rejectRun,
} from './runs.ts';
import { checkSources, listSources, type SourcePorts } from './sources.ts';
import { getStats, type StatsPorts } from './stats.ts';
import { listTrail, type TrailPorts } from './trail.ts';
import { getTypedSkill, invokeSkill, listTypedSkills, type TypedPorts } from './typed-skills.ts';
import { getUpkeep, type UpkeepPorts } from './upkeep.ts';

/** All that operations work on: what a server has. */
export type Ports = DocumentPorts &
  ListPorts &
  TypedPorts &
  LogPorts &
  RunPorts &
  StatsPorts &
  AgentPorts &
  ClientPorts &
  PeoplePorts &
  ConnectPorts &
  SourcePorts &
  TrailPorts &
  LibraryPorts &
  UpkeepPorts;

/** Of the API alone: hosts, models and commands get those of documents.ts. */
export const API_OPERATIONS: readonly Operation<Ports>[] = [
  listDocuments,
  listProblems,
  getUpkeep,
  listTypedSkills,
  getTypedSkill,
  invokeSkill,
  listInvocations,
  getInvocation,
  cancelInvocation,
  approveRun,
  rejectRun,
  listRuns,
  countRuns,
  listSchedules,
  listLoads,
  listActivity,
  listActivityChoices,
  listUses,
  getUses,
  getStats,
  listAgents,
  addAgent,
  revokeAgent,
  listClients,
  revokeClient,
  listPeople,
  grantPerson,
  ungrantPerson,
  listTrail,
  listLibrary,
  putVersion,
  deleteSkill,
  listVersions,
  getVersion,
  compareLibraryVersions,
  approveVersion,
  rejectVersion,
  rollBackSkill,
  withdrawSkill,
  discardVersion,
  checkVersion,
  setReviewPolicy,
  listSources,
  checkSources,
  listHosts,
  listConnections,
];

export const OPERATIONS: readonly Operation<Ports>[] = [...API_OPERATIONS, ...documentOperations];
