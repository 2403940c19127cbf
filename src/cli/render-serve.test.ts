import { expect, test } from 'vitest';
import { createPaint } from './colours.ts';
import { renderServe, type ServeReport } from './render-serve.ts';

const report: ServeReport = {
  version: '1.2.3',
  url: 'http://127.0.0.1:7337',
  dashboardUrl: 'http://127.0.0.1:7337/#token=rpo_abc',
  documentSkills: 6,
  typedSkills: 1,
  problems: 0,
  store: { state: 'ready', place: 'SQLite in ~/.repertoire' },
  authentication: 'on',
  program: 'repertoire',
  connect: 'repertoire connect HOST --http http://127.0.0.1:7337/mcp',
};
const layout = { paint: createPaint(false), columns: 80 };
const render = (changes: Partial<ServeReport> = {}) => renderServe({ ...report, ...changes }, layout);

test('one screen: the link, the skills, the store, who may come in, what to paste into a host', () => {
  expect(render()).toBe(`Repertoire 1.2.3  serving on http://127.0.0.1:7337

  Open      http://127.0.0.1:7337/#token=rpo_abc
  Skills    6 document skills, 1 typed skill · no problems
  Log       SQLite in ~/.repertoire · ready
  Access    with a token: yours is in the link above,
            \`repertoire agent add NAME\` makes one for an agent
  Connect   repertoire connect HOST --http http://127.0.0.1:7337/mcp

Ctrl-C stops it.
`);
});

test('says what is wrong and what to do about it', () => {
  const text = render({
    problems: 2,
    authentication: 'off',
    store: { state: 'unavailable', place: 'PostgreSQL', reason: 'nobody answers' },
  });
  expect(text).toContain('2 problems: `repertoire doctor`');
  expect(text).toContain('PostgreSQL · not available: nobody answers. Documents are served all\n');
  expect(text).toContain('whoever can reach this address may do everything (--no-auth)');
  expect(render({ store: { state: 'off' } })).toContain('nothing is recorded (--no-log)');
});

test('what a reason holds stays on its line and harmless', () => {
  expect(render({ store: { state: 'unavailable', place: 'P', reason: 'a\u001b[31m\nb' } })).not.toContain('\u001b');
});
