// Stands for the package. In a project of your own import from 'repertoire', 'repertoire/skills' and 'repertoire/mcp'.
export {
  type Catalog,
  createRepertoire,
  defineSkill,
  failure,
  openCatalog,
  type Repertoire,
} from '../../src/index.ts';
export {
  type Answer,
  agentCaller,
  createRuntime,
  type FailureCode,
  type Runtime,
  resultJson,
} from '../../src/skills.ts';
export { registerSkills } from '../../src/surfaces/mcp/sdk.ts';
