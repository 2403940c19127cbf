// Every operation. To add one: a file beside this one, and a line here or, where hosts get it as a tool, in documents.ts.
import { getUses, listActivity, listActivityChoices, listUses } from './activity.ts';
import { type AgentPorts, addAgent, listAgents, revokeAgent } from './agents.ts';
import { type ConnectPorts, listConnections, listHosts } from './connect.ts';
import { type DocumentPorts, documentOperations } from './documents.ts';
import { type ListPorts, listDocuments, listProblems } from './list-documents.ts';
import { getInvocation, type LogPorts, listInvocations, listLoads } from './log.ts';
import type { Operation } from './operation.ts';
import { getStats, type StatsPorts } from './stats.ts';
import { getTypedSkill, invokeSkill, listTypedSkills, type TypedPorts } from './typed-skills.ts';

/** All that operations work on: what a server has. */
export type Ports = DocumentPorts & ListPorts & TypedPorts & LogPorts & StatsPorts & AgentPorts & ConnectPorts;

/** Of the API alone: hosts, models and commands get those of documents.ts. */
export const API_OPERATIONS: readonly Operation<Ports>[] = [
  listDocuments,
  listProblems,
  listTypedSkills,
  getTypedSkill,
  invokeSkill,
  listInvocations,
  getInvocation,
  listLoads,
  listActivity,
  listActivityChoices,
  listUses,
  getUses,
  getStats,
  listAgents,
  addAgent,
  revokeAgent,
  listHosts,
  listConnections,
];

export const OPERATIONS: readonly Operation<Ports>[] = [...API_OPERATIONS, ...documentOperations];
