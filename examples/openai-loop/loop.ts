// Runs the tool loop over the skills of examples/skills and prints the conversation.
// In a program of your own these come from 'repertoire' and 'repertoire/openai'.
import { fileURLToPath } from 'node:url';
import { createRepertoire, openCatalog } from '../../src/index.ts';
import { createFunctionTools } from '../../src/surfaces/openai/function-tools.ts';
import type { ChatMessage } from './chat-completions.ts';
import { openFakeModel } from './fake-model.ts';
import { runToolLoop } from './tool-loop.ts';

const QUESTION = 'Prepare the release: review the schema migrations, then write a changelog entry that users read.';

const catalog = await openCatalog({ roots: [fileURLToPath(new URL('../skills', import.meta.url))] });
const model = await openFakeModel();
try {
  const tools = createFunctionTools(createRepertoire(catalog));
  const provider = { baseUrl: model.baseUrl, apiKey: 'none', model: 'stand-in' };
  const messages = await runToolLoop(provider, tools, QUESTION);
  process.stdout.write(`${messages.map(lineOf).join('\n')}\n`);
} finally {
  await model.close();
  catalog.close();
}

function lineOf(message: ChatMessage): string {
  if (message.role === 'tool')
    return `tool       ${message.tool_call_id} answers ${message.content.length} characters of JSON`;
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  const said = calls.map((call) => `${call.id} calls ${call.function?.name}(${call.function?.arguments})`);
  return `${message.role.padEnd(10)} ${calls.length > 0 ? said.join(', ') : message.content}`;
}
