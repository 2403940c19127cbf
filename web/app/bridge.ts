// What the viewer needs of its host: the answers of three tools, links opened, and whether it is dark.
import type { App } from '@modelcontextprotocol/ext-apps';
import { type Answer, parseAnswer, type SkillAddress } from './answer.ts';

export interface Bridge {
  /** Called with what the tool that opened the viewer answered. */
  onAnswer: (answer: Answer) => void;
  onTrouble: (message: string) => void;
  connect(): Promise<void>;
  list(cursor?: string): Promise<Answer>;
  search(query: string): Promise<Answer>;
  get(address: SkillAddress): Promise<Answer>;
  openLink(url: string): void;
}

const FOUND = 20;

export function createBridge(app: App): Bridge {
  const call = async (name: string, input: Record<string, unknown>): Promise<Answer> => {
    try {
      return parseAnswer(await app.callServerTool({ name, arguments: input }));
    } catch {
      // The host says why in its own words, for its own log.
      return {
        kind: 'failed',
        message: 'The host could not ask the server. Ask the agent to list the skills instead.',
      };
    }
  };
  const bridge: Bridge = {
    onAnswer: () => undefined,
    onTrouble: () => undefined,
    connect: async () => {
      app.addEventListener('toolresult', (result) => bridge.onAnswer(parseAnswer(result)));
      app.addEventListener('hostcontextchanged', ({ theme }) => showTheme(theme));
      try {
        await app.connect();
        showTheme(app.getHostContext()?.theme);
      } catch {
        bridge.onTrouble('This page is shown by MCP hosts; here is none.');
      }
    },
    list: (cursor) => call('list_skills', cursor === undefined ? {} : { cursor }),
    search: (query) => call('search_skills', { query, limit: FOUND }),
    get: (address) => call('get_skill', { ...address }),
    openLink: (url) => void app.openLink({ url }).catch(() => undefined),
  };
  return bridge;
}

/** The host's theme; the system's where the host has none. */
function showTheme(theme: 'light' | 'dark' | undefined): void {
  const isDark = theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}
