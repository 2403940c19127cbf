// An operation as a tool: its schemas, its text and its answer come from the one description.
import type { Caller } from '../../../identity/caller.ts';
import { viewKey } from '../../../operations/access.ts';
import type { DocumentPorts } from '../../../operations/documents.ts';
import {
  type Answer,
  type McpFace,
  type Operation,
  readAsked,
  refusalText,
  type ToolNames,
} from '../../../operations/operation.ts';
import { schemaOfFields } from '../../../operations/shape.ts';
import type { PreparedResults } from './prepared-results.ts';
import { READ_ONLY, type Tool, type ToolResult, textContent, toolError } from './tool.ts';

export interface OperationToolOptions {
  readonly ports: DocumentPorts;
  readonly prepared: PreparedResults;
  readonly names: ToolNames;
  /** Who asks where a request does not say. */
  readonly caller: Caller;
}

type WithTool = Operation<DocumentPorts> & { readonly mcp: McpFace<unknown> };

export const hasTool = (operation: Operation<DocumentPorts>): operation is WithTool => operation.mcp !== undefined;

export function operationTool(operation: WithTool, options: OperationToolOptions): Tool {
  const { ports, prepared, names } = options;
  const { id, mcp, access, output } = operation;
  return {
    name: nameOf(id, names),
    title: mcp.title,
    describe: () => mcp.describe(names),
    inputSchema: { ...schemaOfFields(operation.input), additionalProperties: false },
    outputSchema: output.schema,
    annotations: READ_ONLY,
    ...(mcp.hasView && { hasView: true }),
    ...(mcp.meta && { _meta: mcp.meta }),
    call: (given, { caller = options.caller, remote }) => {
      const asking = { caller, remote };
      const asked = readAsked(operation, given, asking);
      if (!asked.ok) return toolError(refusalText(asked.failure));
      const input = asked.value;
      const show = (answer: Answer<unknown>) =>
        answer.ok ? toolResult(operation, answer.value, names) : toolError(refusalText(answer.failure));
      const { snapshot } = ports.repertoire;
      const answer = operation.run(input, asking, ports);
      if (answer instanceof Promise) return answer.then(show);
      if (!answer.ok || !operation.isKept?.(input)) return show(answer);
      const key = `${id} ${viewKey(access, caller, remote)} ${JSON.stringify(input)}`;
      return prepared.getOfAll(key, snapshot, () => show(answer));
    },
  };
}

const nameOf = (id: string, names: ToolNames): string => new Map(Object.entries(names)).get(id) ?? id;

function toolResult({ mcp, project }: WithTool, found: unknown, names: ToolNames): ToolResult {
  const structuredContent = { ...project(found) };
  const text = mcp.text === undefined ? JSON.stringify(structuredContent) : mcp.text(found, names);
  return { content: [textContent(text)], structuredContent };
}
