// Agents as a table for people and as lines for programs. Pure.

import type { Agent } from '../../identity/agents.ts';
import { toOneLine } from '../../text/one-line.ts';
import { type AgentState, agentStateOf as stateOf } from '../answers/agent-json.ts';
import type { Paint } from './terminal/colours.ts';
import type { Layout } from './terminal/output.ts';
import { cutToWidth, displayWidth, hangingText, padToWidth } from './terminal/text-layout.ts';

const COLOURS = { active: 'green', expired: 'yellow', revoked: 'dim' } as const satisfies Record<
  AgentState,
  keyof Paint
>;

const TITLES = ['agent', 'state', 'last used', 'expires', 'scopes'] as const;
const RIGHTS_TITLE = 'may act as';
const MOST_NAME = 24;

export function renderAgents(agents: readonly Agent[], now: Date, { paint, columns }: Layout): string {
  const rows = agents.map((agent) => [
    cutToWidth(toOneLine(agent.name), MOST_NAME),
    stateOf(agent, now),
    agent.lastUsedAt === undefined ? 'never' : minuteText(agent.lastUsedAt),
    agent.expiresAt === undefined ? 'never' : minuteText(agent.expiresAt),
    toOneLine(agent.scopes.join(', ')) || '-',
  ]);
  const widths = TITLES.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => displayWidth(row[column] ?? ''))),
  );
  const toCells = (row: readonly string[]) => row.map((text, column) => padToWidth(text, widths[column] ?? 0));
  const room = columns - sum(widths) - 2 * widths.length;
  const isBeside = (agent: Agent) => displayWidth(rightsText(agent)) <= room;
  const lines = agents.flatMap((agent, index) => {
    const [name = '', state = '', ...dates] = toCells(rows[index] ?? []);
    const line = [paint.bold(name), paint[COLOURS[stateOf(agent, now)]](state), ...dates].join('  ');
    // Below the others where there is no room beside them: who looks wants to see them all.
    const below = () => [line, ...hangingText(`    ${RIGHTS_TITLE} `, rightsText(agent), columns)];
    return isBeside(agent) ? [`${line}  ${rightsText(agent)}`] : below();
  });
  const titles = [...toCells(TITLES), ...(agents.some(isBeside) ? [RIGHTS_TITLE] : [])];
  return [paint.dim(titles.join('  ').trimEnd()), ...lines].map((line) => `${line.trimEnd()}\n`).join('');
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
