import { describe, expect, test } from 'vitest';
import type { Connection } from '../connect/connect-host.ts';
import { createPaint } from './colours.ts';
import { type ConnectionReport, renderConnection } from './render-connect.ts';

const layout = { paint: createPaint(false), columns: 80 };
const connection: Connection = {
  format: 'json',
  keys: ['mcpServers', 'repertoire'],
  path: '/home/me/.cursor/mcp.json',
  action: 'added',
  before: undefined,
  after: { command: 'repertoire', args: ['mcp'] },
  isNewFile: false,
  isFileRemoved: false,
  written: true,
  backup: '/home/me/.cursor/mcp.json.bak-repertoire',
  isReadableByOthers: false,
};
const report: ConnectionReport = {
  host: { id: 'cursor', title: 'Cursor', tokenByVariable: false },
  scope: 'user',
  server: { command: 'repertoire', args: ['mcp'] },
  connection,
  isHere: true,
  warning: undefined,
  showPath: (path) => path.replace('/home/me', '~'),
};

describe('renderConnection', () => {
  test('shows the change, the file, its copy and what to do next (C)', () => {
    expect(renderConnection(report, layout)).toBe(
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
        'The file as it was before: ~/.cursor/mcp.json.bak-repertoire',
        'Next: restart Cursor; it lists "repertoire" among its MCP servers.',
        '',
      ].join('\n'),
    );
  });

  test('shows of a replacement what differs', () => {
    const before = { command: 'old', args: ['mcp'] };
    const text = renderConnection({ ...report, connection: { ...connection, action: 'replaced', before } }, layout);
    expect(text.match(/^ {2}[-+].*$/gm)).toEqual(['  -       "command": "old",', '  +       "command": "repertoire",']);
  });

  test('shows TOML and YAML as they are written', () => {
    const shown = (format: Connection['format']) =>
      renderConnection({ ...report, connection: { ...connection, format } }, layout)
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
    const idle = { ...connection, written: false, backup: undefined, before: connection.after };
    expect(renderConnection({ ...report, connection: { ...idle, action: 'unchanged' } }, layout)).toBe(
      'Cursor is already connected, nothing to change  ~/.cursor/mcp.json\n',
    );
    expect(renderConnection({ ...report, server: undefined, connection: { ...idle, action: 'absent' } }, layout)).toBe(
      'Cursor is not connected, nothing to remove  ~/.cursor/mcp.json\n',
    );
  });

  test('sends no control character of an entry to the terminal', () => {
    const after = { command: 'x\u001b[2J\u009b\u202e', args: [] };
    const text = renderConnection({ ...report, connection: { ...connection, after } }, layout);
    expect(text).not.toMatch(/[\u001b\u009b\u202e]/);
  });

  test('tells a host that takes the token from a variable', () => {
    const host = { id: 'fx', title: 'fx', tokenByVariable: true };
    const server = { url: 'https://x.example/mcp', token: 'secret' };
    const text = renderConnection({ ...report, host, server }, layout);
    expect(text).toContain('fx reads the token from REPERTOIRE_TOKEN');
    expect(text).not.toContain('secret');
  });
});
