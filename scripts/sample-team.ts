// What a team's server shows beside its log: durable runs, one that waits for a person, schedules, a library, a source, people.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../dist/lib/skills.js', import.meta.url));
const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** Skills that run for long and in front of people, as the configuration has them. */
const CONFIG = `import { defineSkill, failure } from ${JSON.stringify(entry)};
const input = { type: 'object', properties: { amount: { type: 'integer', description: 'In cents.' } } };
const output = { type: 'object', properties: { charged: { type: 'integer' } } };
const common = { category: 'execution', input, output, assignedTo: ['Clerk'] };
let tries = 0;
export default {
  agents: ['Clerk'],
  skills: [
    defineSkill({ ...common, name: 'refund_payment', description: 'Refunds a payment.', approval: 'required',
      run: async ({ amount = 0 }) => ({ charged: amount }) }),
    defineSkill({ ...common, name: 'monthly_report', description: 'Writes the report of a month.', durable: {}, timeoutSeconds: 3600,
      run: async (_input, { signal, progress }) => {
        progress(2, 5, 'reading March');
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        return {};
      } }),
    defineSkill({ ...common, name: 'ledger_sync', description: 'Brings the ledger up to date.',
      failureModes: ['EXTERNAL_SERVICE_ERROR'], durable: { idempotent: true, attempts: 3, backoffSeconds: 1 },
      run: async () => ++tries < 2 ? failure('EXTERNAL_SERVICE_ERROR', { service: 'the bank' }) : { charged: tries } }),
  ],
  schedules: [
    { name: 'nightly-sync', skill: 'ledger_sync', cron: '0 3 * * 1-5', timezone: 'Europe/Berlin' },
    { name: 'month-end', skill: 'monthly_report', cron: '30 6 1 * *', timezone: 'UTC' },
    { name: 'mistyped', skill: 'ledger_snyc', cron: '* * * * *' },
  ],
};
`;

/** The options that serve it. */
export function writeTeamConfig(place: string): readonly string[] {
  const [config, project] = [join(place, 'team.config.mjs'), join(place, 'project')];
  mkdirSync(project, { recursive: true });
  writeFileSync(config, CONFIG);
  return ['--config', config, '--project', project];
}

const skillText = (name: string, description: string, body: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n\n${body}\n`;

/** A repository with two skills, pinned in the lock of the project. */
export function addSource(place: string, data: string): void {
  const repository = join(place, 'shared-skills');
  for (const name of ['api-review', 'on-call']) {
    mkdirSync(join(repository, name), { recursive: true });
    writeFileSync(
      join(repository, name, 'SKILL.md'),
      skillText(name, `What we do for ${name}.`, 'Ask before you act.'),
    );
  }
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Team', '-c', 'user.email=team@example.org', ...words], { cwd: repository });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Two skills');
  const words = ['add', repository, '--yes', '--project', join(place, 'project'), '--data', data];
  execFileSync(process.execPath, [program, ...words], { env: { PATH: process.env.PATH, HOME: place } });
}

/** Runs, and versions of a skill of which the last one waits for review; answers the run that failed at first. */
export async function fillTeam(url: string, operator: string): Promise<{ readonly run: string }> {
  const send = async (path: string, body: object, { token = operator, method = 'POST' } = {}) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Prefer: 'respond-async' };
    return (await fetch(url + path, { method, body: JSON.stringify(body), headers })).json();
  };
  const clerk = await send('/api/agents', { name: 'clerk-bot', roles: ['Clerk'] });
  const begin = (skill: string, input: object) => send(`/api/typed-skills/${skill}/invoke`, input, clerk);
  await begin('monthly_report', {});
  const { invocation_id: run } = await begin('ledger_sync', {});
  await begin('refund_payment', { amount: 4200 });
  const author = await send('/api/agents', { name: 'writer-bot', scopes: ['skills:propose'] });
  const publish = (line: string, message: string, token = operator) =>
    send(
      '/api/library/team-refunds',
      { files: [{ path: 'SKILL.md', text: refunds(line) }], message },
      { token, method: 'PUT' },
    );
  await publish('Ask the team lead.', 'As we do it today');
  await publish('Ask the team lead above 100 EUR.', 'Small refunds need no question', author.token);
  return { run: String(run) };
}

const refunds = (line: string) =>
  skillText(
    'team-refunds',
    'How refunds are made. Use it when a customer wants money back.',
    `${line}\n\n- Look at the order.\n- Answer within a day.`,
  );
