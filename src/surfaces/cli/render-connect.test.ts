// What `connect` says about a change: the entry, what is served, what to do next, what to know.
import { describe, expect, test } from 'vitest';
import type { HostChange } from '../../hosts/connect/connect-host.ts';
import { CONNECTABLE_HOSTS, type ConnectableHost } from '../../hosts/connect/host-files.ts';
import type { SurveyedHost } from '../../hosts/connect/survey-hosts.ts';
import type { ConnectReport } from './connect-notes.ts';
import type { Served } from './connect-served.ts';
import { connectJson, renderConnect, renderHosts } from './render-connect.ts';
import { createPaint } from './terminal/colours.ts';

const layout = { paint: createPaint(false), columns: 80 };
const change: HostChange = {
  format: 'json',
  keys: ['mcpServers', 'repertoire'],
  path: '/home/me/.cursor/mcp.json',
  action: 'added',
  before: undefined,
  after: { command: 'repertoire', args: ['mcp'] },
  isNewFile: false,
  isFileRemoved: false,
  removedFolders: [],
  written: true,
  backup: '/home/me/.cursor/mcp.json.bak-repertoire',
  otherServers: 0,
  isReadableByOthers: false,
};
const cursor = hostOf('cursor');
const report: ConnectReport = {
  host: cursor,
  scope: 'user',
  server: { command: 'repertoire', args: ['mcp'] },
  served: undefined,
  reached: undefined,
  needs: [],
  checkLine: 'repertoire connect cursor --check',
  change,
  isHere: true,
  hasDatabaseUrl: false,
  warning: undefined,
  showPath: (path) => path.replace('/home/me', '~'),
};

const served: Served = {
  typed: { config: undefined, builtin: [] },
  skillCount: 3,
  folders: [
    { label: './.agents/skills', skills: 1, isOfProject: true },
    { label: '~/.agents/skills', skills: 0, isOfProject: false },
    { label: '~/.claude/skills', skills: 2, isOfProject: false },
  ],
  badRoots: [],
  unknownPins: [],
  skillsOfProject: 1,
  looksInProject: true,
  doctor: 'repertoire doctor',
};
/** The lines below the change. */
const lastLines = (changed: Partial<ConnectReport>): readonly string[] =>
  renderConnect({ ...report, ...changed }, { ...layout, columns: 200 })
    .split('\n\n')
    .at(-1)
    ?.trimEnd()
    .split('\n') ?? [];

describe('renderConnect', () => {
  test('shows the change, the file, its copy and what to do next (C)', () => {
    expect(renderConnect(report, layout)).toBe(
      [
        'Cursor is connected  ~/.cursor/mcp.json',
        '',
        '    {',
        '      "mcpServers": {',
        '  +     "repertoire": {',
        '  +       "command": "repertoire",',
        '  +       "args": [',
        '  +         "mcp"',
        '  +       ]',
        '  +     }',
        '      }',
        '    }',
        '',
        'Backup of the file: ~/.cursor/mcp.json.bak-repertoire',
        'Next: restart Cursor; it lists "repertoire" among its MCP servers.',
        'Check: `repertoire connect cursor --check` tries it as Cursor would.',
        '',
      ].join('\n'),
    );
  });

  test('shows of a replacement what differs', () => {
    const before = { command: 'old', args: ['mcp'] };
    const text = renderConnect({ ...report, change: { ...change, action: 'replaced', before } }, layout);
    expect(text.match(/^ {2}[-+].*$/gm)).toEqual(['  -       "command": "old",', '  +       "command": "repertoire",']);
  });

  test('shows TOML and YAML as they are written', () => {
    const shown = (format: HostChange['format']) =>
      renderConnect({ ...report, change: { ...change, format } }, layout)
        .split('\n')
        .slice(2, 6);
    expect(shown('toml')).toEqual([
      '  + [mcpServers.repertoire]',
      '  + command = "repertoire"',
      '  + args = ["mcp"]',
      '',
    ]);
    expect(shown('yaml')).toEqual([
      '    mcpServers:',
      '  +   repertoire:',
      '  +     command: repertoire',
      '  +     args:',
    ]);
  });

  test('says in one line that there is nothing to do', () => {
    const idle = { ...change, written: false, backup: undefined, before: change.after };
    expect(renderConnect({ ...report, change: { ...idle, action: 'unchanged' } }, layout)).toBe(
      'Cursor is already connected; nothing to change  ~/.cursor/mcp.json\n',
    );
    expect(renderConnect({ ...report, server: undefined, change: { ...idle, action: 'absent' } }, layout)).toBe(
      'Cursor is not connected; nothing to remove  ~/.cursor/mcp.json\n',
    );
  });

  test('sends no control character of an entry to the terminal', () => {
    const after = { command: 'x\u001b[2J\u009b\u202e', args: [] };
    const text = renderConnect({ ...report, change: { ...change, after } }, layout);
    expect(text).not.toMatch(/[\u001b\u009b\u202e]/);
  });

  test('tells a host that takes the token from a variable', () => {
    const host = hostOf('fx');
    const server = { url: 'https://x.example/mcp', token: 'secret' };
    const text = renderConnect({ ...report, host, server }, layout);
    expect(text).toContain('fx reads the token from REPERTOIRE_TOKEN');
    expect(text).not.toContain('secret');
  });
});

describe('a running server', () => {
  const server = { url: 'https://x.example/mcp', token: undefined };
  const reached = { server, isCorrected: false, keepsToken: false, fix: undefined };
  const met = { name: 'repertoire', version: '0.1.0', tools: ['skill'], caller: 'the agent "billing"' };

  test('that was reached is named, with who it takes the host for (U5)', () => {
    const lines = lastLines({ server, reached: { ...reached, attempt: { ok: true, value: met } } });
    expect(lines).toContain('Tried it: repertoire 0.1.0 · 1 tool · as the agent "billing"');
    expect(lines.join()).toContain('Next: restart Cursor');
    expect(lines.join()).not.toContain('needs a token');
  });

  test('that does not work leaves nothing to restart, and is in the JSON (U5)', () => {
    const failure = { cause: 'unreachable', message: 'Cannot reach x.example' } as const;
    const broken = {
      ...report,
      server,
      reached: { ...reached, attempt: { ok: false, failure } as const, fix: 'Start it' },
    };
    const text = renderConnect(broken, layout);
    expect(text).toContain('Cursor has the entry, but it does not work yet');
    expect(text).not.toContain('Next:');
    expect(connectJson(broken)).toMatchObject({
      check: { works: false, cause: 'unreachable', message: 'Cannot reach x.example', fix: 'Start it', tools: null },
    });
  });

  test('that asks to sign in is said once: no note asks for a token beside it (O1)', () => {
    const failure = { cause: 'sign-in-needed', message: 'The server asks to sign in by OAuth' } as const;
    const lines = lastLines({ server, reached: { ...reached, attempt: { ok: false, failure } } });
    expect(lines).toContain('Tried it: the server asks to sign in by OAuth.');
    expect(lines.join()).toContain('Then: sign in in the browser when Cursor asks.');
    expect(lines.join()).not.toContain('--no-auth');
  });

  test('has the address of its endpoint in the entry, which is said where another was given (U5)', () => {
    const lines = lastLines({ server, reached: { ...reached, attempt: undefined, isCorrected: true } });
    expect(lines).toContain('Note: the entry uses the address of the MCP endpoint: https://x.example/mcp');
  });
});

test('what the host waits for comes before the next step (U4)', () => {
  const lines = lastLines({ needs: ['Cursor asks first.'] });
  expect(lines.indexOf('First: Cursor asks first.')).toBe(lines.findIndex((line) => line.startsWith('Next:')) - 1);
  expect(connectJson({ ...report, needs: ['Cursor asks first.'] })).toMatchObject({ needs: ['Cursor asks first.'] });
});

describe('what is served', () => {
  test('is one line with the folders (C)', () => {
    expect(lastLines({ served: { ...served, skillsOfProject: 0 } })).toContain(
      'Serves 3 skills (1 in ./.agents/skills, 2 in ~/.claude/skills)',
    );
    const one = { ...served, skillCount: 1, folders: served.folders.slice(0, 1) };
    expect(lastLines({ served: one })).toContain('Serves 1 skill (./.agents/skills)');
  });

  test('names where typed skills come from, and does not count those of a file (C)', () => {
    const file = { path: '/home/me/mine.config.ts', isMissing: false };
    const some = { ...served, typed: { config: file, builtin: ['task_creation', 'task_update'] } };
    expect(lastLines({ served: some })).toContain(
      'Serves 3 document skills (1 in ./.agents/skills, 2 in ~/.claude/skills); the typed skills of ~/mine.config.ts; 2 built-in skills',
    );
    const builtinOnly = {
      ...served,
      skillCount: 0,
      folders: [],
      typed: { config: undefined, builtin: 'all' } as const,
    };
    expect(lastLines({ served: builtinOnly })).toContain('Serves all built-in skills');
    expect(lastLines({ served: builtinOnly }).join()).not.toContain('no skills to serve');
  });

  test('says that the file of --config is not there (C)', () => {
    const typed = { config: { path: '/home/me/mine.config.ts', isMissing: true }, builtin: [] };
    const text = lastLines({ served: { ...served, typed } }).join('\n');
    expect(text).toContain(
      'Note: --config ~/mine.config.ts: there is no such file; the server does not start without it.',
    );
    expect(text).not.toContain('typed skills of');
  });

  test('is a note with where it looked, when it is nothing (C)', () => {
    const folders = served.folders.map((folder) => ({ ...folder, skills: 0 }));
    const nothing = { ...served, skillCount: 0, skillsOfProject: 0, folders };
    const lines = lastLines({ served: nothing });
    expect(lines).toContain(
      'Note: there are no skills to serve yet. Looked in ./.agents/skills, ~/.agents/skills, ~/.claude/skills; `repertoire doctor` shows more.',
    );
    expect(lines.join()).not.toContain('Serves');
    expect(connectJson({ ...report, served: nothing })).toMatchObject({ skill_count: 0 });
  });

  test('names at most six folders', () => {
    const folders = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ label: `./${n}`, skills: 1, isOfProject: false }));
    const many = { ...served, skillCount: 8, folders };
    expect(lastLines({ served: many }).join()).toContain('1 in ./6, 2 more)');
  });

  test('of the project is seen elsewhere only with --project (C)', () => {
    const hint =
      'Note: started in another folder, the server sees the skills in ./.agents/skills only with --project DIR.';
    expect(lastLines({ served })).toContain(hint);
    const server = { command: 'repertoire', args: ['mcp', '--project', '/home/me/p'] };
    expect(lastLines({ served, server })).not.toContain(hint);
  });
});

describe('in a project', () => {
  const starts = 'Note: the server sees the skills in ./… only if Cursor starts it in the project folder.';

  test('says from where its skills are seen, and nothing of paths when there is none (C)', () => {
    const lines = lastLines({ scope: 'project', served });
    expect(lines).toContain(starts);
    expect(lines.join()).not.toMatch(/version control|another folder/);
  });

  test.each([
    [['node', '/opt/r/cli.js', 'mcp'], 'the path of the program on this machine'],
    [['repertoire', 'mcp', '--root', '/home/me/skills'], 'a path on this machine'],
  ])('warns of a path in %j (C)', ([command = '', ...args], path) => {
    expect(lastLines({ scope: 'project', served, server: { command, args } })).toContain(
      `Note: the entry contains ${path}: keep the file out of version control.`,
    );
    expect(lastLines({ scope: 'user', served, server: { command, args } }).join()).not.toContain('version control');
  });

  test('does not speak of ./… where the server does not look', () => {
    expect(lastLines({ scope: 'project', served: { ...served, looksInProject: false } })).not.toContain(starts);
  });
});

test('Pi is told what it needs (C)', () => {
  const lines = lastLines({ host: hostOf('pi') });
  expect(lines).toContain('Next: type /reload in Pi; /mcp shows "repertoire".');
  expect(lines.join()).toContain(
    'Pi has no MCP of its own. An extension reads this file: `pi install npm:pi-mcp-adapter`',
  );
});

test('says what to do instead of --database-url, for a server that the host starts (C)', () => {
  const note = 'Note: --database-url is not written to the entry, because it may contain a password. Set DATABASE_URL';
  expect(lastLines({ hasDatabaseUrl: true }).join()).toContain(note);
  expect(lastLines({ hasDatabaseUrl: true, server: { url: 'http://x', token: undefined } }).join()).not.toContain(note);
  expect(lastLines({}).join()).not.toContain(note);
});

test('says which empty folder went with the file (C)', () => {
  const removed = { ...change, action: 'removed', after: undefined, isFileRemoved: true } as const;
  const removedFolders = ['/home/me/.cline/data', '/home/me/.cline'];
  const shown = lastLines({ server: undefined, change: { ...removed, removedFolders } });
  expect(shown).toContain('The file had nothing else in it and was deleted, with the empty folder ~/.cline.');
});

describe('renderHosts', () => {
  const row = (id: string, isHere: boolean): SurveyedHost => ({
    host: { ...cursor, id, title: id },
    path: `/${id}`,
    folder: '/',
    isHere,
    isConnected: false,
  });
  const plain = { numbered: false, showPath: (path: string) => `~${path}` };

  test('marks a host that is connected (C)', () => {
    const text = renderHosts([{ ...row('a', true), isConnected: true }, row('b', true)], plain, layout);
    expect(text).toContain('  a  a  ~/a  connected\n  b  b  ~/b\n');
  });

  test('numbers the known hosts when none was found (C)', () => {
    expect(renderHosts([row('a', false), row('b', false)], { ...plain, numbered: true }, layout)).toBe(
      'No hosts found on this machine\n\nKnown hosts\n  1  a  a  ~/a\n  2  b  b  ~/b\n\n',
    );
    expect(renderHosts([row('a', true), row('b', false)], plain, layout)).toContain('\nOther known hosts\n  b');
  });
});

test('says how many servers stand beside the entry (C)', () => {
  const text = renderConnect({ ...report, change: { ...change, otherServers: 1 } }, layout);
  expect(text).toContain('\n    … 1 other server as before\n');
  expect(renderConnect(report, layout)).not.toContain('other server');
});

test('a server over HTTP without a token: says that it wants one (C, H5)', () => {
  const noteOf = (token: string | undefined) =>
    renderConnect({ ...report, server: { url: 'http://127.0.0.1:7337/mcp', token } }, layout).replace(/\s+/g, ' ');
  expect(noteOf(undefined)).toContain(
    'Note: the server needs a token unless it runs with --no-auth: set REPERTOIRE_TOKEN or --token and connect again.',
  );
  expect(noteOf('secret')).not.toContain('needs a token');
});

test.each([
  ['/home/me/.npm/_npx/0a1b/node_modules/repertoire/dist/cli.js', true],
  ['/usr/lib/node_modules/repertoire/dist/cli.js', false],
])('a program in %s: is it of a cache? %s (C)', (path, isCache) => {
  const text = renderConnect({ ...report, server: { command: 'node', args: [path, 'mcp'] } }, layout);
  expect(text.replace(/\s+/g, ' ').includes('the program is in the npx cache')).toBe(isCache);
});

function hostOf(id: string): ConnectableHost {
  const host = CONNECTABLE_HOSTS.find((each) => each.id === id);
  if (host === undefined) throw new Error(`no host ${id}`);
  return host;
}
