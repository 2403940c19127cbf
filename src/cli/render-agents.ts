// Agents as a table for people and as lines for programs. Pure.
import { toOneLine } from '../document/one-line.ts';
import type { Agent } from '../identity/agents.ts';
import { type AgentState, agentStateOf as stateOf } from '../serve/agent-json.ts';
import type { Paint } from './colours.ts';
import type { Layout } from './problem-lines.ts';
import { cutToWidth, displayWidth, hangingText, padToWidth } from './text-layout.ts';

const COLOURS = { active: 'green', expired: 'yellow', revoked: 'dim' } as const satisfies Record<
  AgentState,
  keyof Paint
>;

const TITLES = ['agent', 'state', 'last used', 'expires', 'scopes', 'may act as'] as const;
const MOST_NAME = 24;

export function renderAgents(agents: readonly Agent[], now: Date, { paint, columns }: Layout): string {
  const rows = agents.map((agent) => [
    cutToWidth(toOneLine(agent.name), MOST_NAME),
    stateOf(agent, now),
    agent.lastUsedAt === undefined ? 'never' : minuteText(agent.lastUsedAt),
    agent.expiresAt === undefined ? 'never' : minuteText(agent.expiresAt),
    toOneLine(agent.scopes.join(', ')) || '-',
  ]);
  const widths = TITLES.slice(0, -1).map((title, column) =>
    Math.max(title.length, ...rows.map((row) => displayWidth(row[column] ?? ''))),
  );
  const toCells = (row: readonly string[]) => row.map((text, column) => padToWidth(text, widths[column] ?? 0));
  const lines = agents.flatMap((agent, index) => {
    const [name = '', state = '', ...dates] = toCells(rows[index] ?? []);
    const line = [paint.bold(name), paint[COLOURS[stateOf(agent, now)]](state), ...dates].join('  ');
    return withRights(line, rightsText(agent), columns - sum(widths) - 2 * widths.length, columns);
  });
  return [paint.dim(toCells(TITLES).join('  ')), ...lines].map((line) => `${line.trimEnd()}\n`).join('');
}

/** Beside the others where there is room, else below: who looks wants to see them all. */
function withRights(line: string, rights: string, room: number, columns: number): readonly string[] {
  return displayWidth(rights) <= room ? [`${line}  ${rights}`] : [line, ...hangingText('    ', rights, columns)];
}

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0);

/** For programs, with tabs between: name, state, roles, scopes, created, expires, last used; what is not there is empty. */
export const agentLines = (agents: readonly Agent[], now: Date): string =>
  agents
    .map((agent) => {
      const { name, roles, scopes, createdAt, expiresAt, lastUsedAt } = agent;
      const dates = [createdAt, expiresAt, lastUsedAt].map((date) => date?.toISOString() ?? '');
      return `${[name, stateOf(agent, now), roles.join(','), scopes.join(','), ...dates].map((cell) => toOneLine(cell)).join('\t')}\n`;
    })
    .join('');

const rightsText = ({ roles }: Agent): string => toOneLine(roles.join(', '));

/** In the reader's own time zone: `2026-01-31 14:03`. */
function minuteText(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
