// An operation as a tool: its schemas, its text and its answer come from the one description.
import { LOCAL_OPERATOR } from '../../../identity/caller.ts';
import { maySeePaths } from '../../../operations/access.ts';
import type { DocumentPorts } from '../../../operations/documents.ts';
import {
  type McpFace,
  type Operation,
  readAsked,
  refusalText,
  type ToolNames,
  whenAnswered,
} from '../../../operations/operation.ts';
import { schemaOfFields } from '../../../operations/shape.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { PreparedResults } from './prepared-results.ts';
import { READ_ONLY, type Tool, type ToolResult, textContent, toolError } from './tool.ts';

export interface OperationToolOptions {
  readonly ports: DocumentPorts;
  readonly prepared: PreparedResults;
  readonly names: ToolNames;
}

type WithTool = Operation<DocumentPorts> & { readonly mcp: McpFace<unknown> };

export const hasTool = (operation: Operation<DocumentPorts>): operation is WithTool => operation.mcp !== undefined;

export function operationTool(operation: WithTool, { ports, prepared, names }: OperationToolOptions): Tool {
  const { id, mcp, output } = operation;
  return {
    name: nameOf(id, names),
    title: mcp.title,
    describe: () => mcp.describe(names),
    inputSchema: { ...schemaOfFields(operation.input), additionalProperties: false },
    outputSchema: output.schema,
    annotations: READ_ONLY,
    ...(mcp.hasView && { hasView: true }),
    ...(mcp.meta && { _meta: mcp.meta }),
    call: (given, { caller = LOCAL_OPERATOR, remote }) => {
      const { snapshot } = ports.repertoire;
      const asking = { caller, remote };
      const asked = readAsked(operation, given, asking);
      if (!asked.ok) return toolError(refusalText(asked.failure));
      const input = asked.value;
      return whenAnswered(operation.run(input, asking, ports), (answer) => {
        if (!answer.ok) return toolError(refusalText(answer.failure));
        const show = () => toolResult(operation, answer.value, names);
        if (!operation.isKept?.(input)) return show();
        return prepared.getOfAll(`${id} ${maySeePaths(asking)} ${JSON.stringify(input)}`, snapshot, show);
      });
    },
  };
}

const nameOf = (id: string, names: ToolNames): string => new Map(Object.entries(names)).get(id) ?? id;

function toolResult({ mcp, project }: WithTool, found: unknown, names: ToolNames): ToolResult {
  const answer = project(found);
  const structuredContent = isRecord(answer) ? answer : {};
  const text = mcp.text === undefined ? JSON.stringify(answer) : mcp.text(found, names);
  return { content: [textContent(text)], structuredContent };
}
