// Every operation of the API by its id. OPERATIONS are routed and validated; with those of the door they are described.
import { dashboardOperations } from './dashboard.ts';
import { documentOperations } from './documents.ts';
import { logOperations } from './log.ts';
import { openAiOperations } from './openai.ts';
import { doorOperations, serviceOperations } from './service.ts';
import { typedSkillOperations } from './typed-skills.ts';

export const OPERATIONS = {
  ...documentOperations,
  ...typedSkillOperations,
  ...logOperations,
  ...openAiOperations,
  ...dashboardOperations,
  ...serviceOperations,
};

export const DESCRIBED_OPERATIONS = { ...OPERATIONS, ...doorOperations };

export type OperationId = keyof typeof OPERATIONS;
