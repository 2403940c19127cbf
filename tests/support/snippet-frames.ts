// What stands around a snippet that is a part of something: the page shows the part, the frame makes a program of it.

interface Frame {
  readonly page: string;
  readonly begins: string;
  readonly before: string;
  readonly after: string;
}

const runtime = `import { createRuntime } from 'repertoire/skills';`;
const definition = `name: 'shown', description: 'Shown.', category: 'execution',`;
const support = `import { McpServer } from '@modelcontextprotocol/server';
import { openCatalog } from 'repertoire';
import { registerSkills } from 'repertoire/mcp';
const server = new McpServer({ name: 'support', version: '1.0.0' });
const [SKILLS_FOLDER, APP_URI, FALLBACK] = ['./skills', 'ui://support/app.html', {}];
`;
const model = `import { createRepertoire, openCatalog } from 'repertoire';
import { createFunctionTools, type ToolCall } from 'repertoire/openai';
const catalog = await openCatalog({ roots: ['./skills'], watch: false });
const model = 'stand-in';
const call: ToolCall = { id: 'call_1', type: 'function', function: { name: 'list_skills', arguments: '{}' } };
const message = { role: 'assistant', content: null, tool_calls: [call] };
const messages: object[] = [];
`;

/** Says whether a definition is taken and what it answers to an input. */
const invoke = (input: string): string => `
});
const runtime = createRuntime({ skills: [shown] });
const answer = await runtime.invoke({ name: 'shown', input: ${input} });
console.log(runtime.problems, answer);
await runtime.close();
if (!answer.success) throw new Error(answer.failure.message);
`;

export const frames: readonly Frame[] = [
  {
    page: 'docs/typed-skills.md',
    begins: 'input: ',
    before: `import { defineSkill, secret } from 'repertoire';
${runtime}
import { z } from 'zod';
const shown = defineSkill({ ${definition} output: z.object({ user: z.string() }), run: async ({ user }) => ({ user }),
`,
    after: invoke(`{ user: 'ada', password: 'correct horse' }`),
  },
  {
    page: 'docs/typed-skills.md',
    begins: `isolation: 'worker'`,
    before: `import { defineSkill } from 'repertoire';
${runtime}
import { z } from 'zod';
const shown = defineSkill({ ${definition}
input: z.object({ payment_cents: z.number(), open_invoices: z.array(z.object({ id: z.string(), total_cents: z.number() })) }),
output: z.object({ matched: z.literal(true), invoice_ids: z.array(z.string()) }),
`,
    after: invoke(`{ payment_cents: 300, open_invoices: [{ id: 'one', total_cents: 300 }] }`),
  },
  { page: 'examples/engage-red-hat-support/README.md', begins: 'const catalog', before: support, after: '' },
  {
    page: 'examples/openai-loop/README.md',
    begins: 'const tools',
    before: model,
    after: 'console.log(request.tools.length, messages.length);\ncatalog.close();\n',
  },
];
