// The part of the chat completions protocol that a tool loop needs, as types.
import type { FunctionToolDefinition, ToolCall, ToolMessage } from '../../src/surfaces/openai/function-tools.ts';

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly FunctionToolDefinition[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly tool_calls?: readonly ToolCall[];
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | AssistantMessage
  | ToolMessage;

export interface ChatResponse {
  readonly choices: readonly { readonly finish_reason: string; readonly message: AssistantMessage }[];
}
