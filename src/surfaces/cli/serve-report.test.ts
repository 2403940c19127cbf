// What a server that has started says of itself, without a server.
import { expect, test } from 'vitest';
import { createRuntime } from '../../skills/run/runtime.ts';
import { type Asked, createCommandWorld } from './fixtures/command-world.ts';
import { exampleSnapshot } from './fixtures/example-values.ts';
import { renderServe, reportServing, type ServeReport } from './serve-report.ts';
import { createDoctorLine } from './server-command.ts';
import { createPaint } from './terminal/colours.ts';

const TOKEN = 'rpo_0123456789abcdef0123456789abcdef';

async function tell(asked: Asked, ofVariable: boolean): Promise<string> {
  const world = createCommandWorld(asked);
  const { http, ...others } = world.context.settings;
  const settings = { ...others, http: { ...http, operatorToken: ofVariable ? TOKEN : undefined } };
  const store = { health: async () => ({ isReady: true }) };
  const catalog = { current: exampleSnapshot([], []), roots: [] };
  // The other parts are not asked for anything.
  const typed = { store, runtime: createRuntime({ skills: [] }) };
  const app = { url: 'http://127.0.0.1:7337', operatorToken: TOKEN, catalog, settings, typed } as never;
  await reportServing(world.context, app);
  return world.stdout();
}

test('a token of the file is in the link (H5)', async () => {
  expect(await tell({}, false)).toContain(`http://127.0.0.1:7337/#token=${TOKEN}\n`);
});

test('a token of the variable is not on the screen; a program that asks for JSON gets it (H5)', async () => {
  const text = await tell({}, true);
  expect(text).toContain('http://127.0.0.1:7337/\n');
  expect(text).not.toContain(TOKEN);
  expect(JSON.parse(await tell({ flags: ['json'] }, true))).toMatchObject({ token: TOKEN });
});

test('the command for more about problems repeats --root and --config (C)', () => {
  const { context } = createCommandWorld({
    values: { root: '/s', config: '/w/c.ts', builtin: 'all' },
    given: { roots: ['/s'], config: '/w/c.ts', builtin: 'all' },
  });
  expect(createDoctorLine(context)).toBe('repertoire doctor --root /s --config /w/c.ts');
});

const report: ServeReport = {
  version: '1.2.3',
  url: 'http://127.0.0.1:7337',
  dashboardUrl: 'http://127.0.0.1:7337/#token=rpo_abc',
  isTokenOfVariable: false,
  documentSkills: 6,
  typedSkills: 1,
  problems: 0,
  store: { state: 'ready', place: 'SQLite in ~/.repertoire' },
  authentication: 'on',
  doctor: 'repertoire doctor',
  agentAdd: 'repertoire agent add NAME',
  needsDatabaseUrl: false,
  connect: 'repertoire connect HOST --http http://127.0.0.1:7337/mcp',
  signInUrl: undefined,
  badRoots: [],
};
const layout = { paint: createPaint(false), columns: 80 };
const render = (changes: Partial<ServeReport> = {}) => renderServe({ ...report, ...changes }, layout);

test('one screen: the link, the skills, the store, who may come in, what to paste into a host', () => {
  expect(render()).toBe(`Repertoire 1.2.3  serving on http://127.0.0.1:7337

  Open      http://127.0.0.1:7337/#token=rpo_abc
  Skills    6 document skills, 1 typed skill · no problems
  Log       SQLite in ~/.repertoire · ready
  Access    with a token: yours is in the link above,
            \`repertoire agent add NAME\` creates one for an agent
  Connect   repertoire connect HOST --http http://127.0.0.1:7337/mcp
            with a token in the variable REPERTOIRE_TOKEN

Press Ctrl-C to stop.
`);
});

test('with OAuth says that hosts sign in without a token, and at which address (O1)', async () => {
  expect(render({ signInUrl: 'https://skills.example.com/mcp' }).replace(/\s+/g, ' ')).toContain(
    'hosts can sign in by OAuth without a token, at https://skills.example.com/mcp',
  );
  expect((await tell({ given: { oauth: true } }, false)).replace(/\s+/g, ' ')).toContain(
    'at http://127.0.0.1:7337/mcp Connect',
  );
  const given = { publicUrl: 'https://skills.example.com/' };
  expect(JSON.parse(await tell({ given, flags: ['json'] }, false))).toMatchObject({
    sign_in_url: 'https://skills.example.com/mcp',
  });
  expect(await tell({}, false)).not.toContain('OAuth');
});

test('says what is wrong and what to do about it', () => {
  const text = render({
    problems: 2,
    authentication: 'off',
    store: { state: 'unavailable', place: 'PostgreSQL', reason: 'nobody answers' },
  });
  expect(text).toContain('2 problems: `repertoire doctor`');
  expect(text).toContain('PostgreSQL · not available: nobody answers. Document skills are\n');
  expect(text).toContain('anyone who can reach this address may do everything (--no-auth)');
  expect(render({ store: { state: 'off' } })).toContain('nothing is recorded (--no-log)');
});

test('breaks lines at the same places with and without colours', () => {
  const troubled = { ...report, problems: 4, badRoots: [{ label: 'nope', isMissing: true }] };
  const painted = renderServe(troubled, { paint: createPaint(true), columns: 60 });
  const plain = renderServe(troubled, { paint: createPaint(false), columns: 60 });
  expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(plain);
});

test('the words for an agent name the store, but never the address of a database', () => {
  const agentAdd = 'repertoire agent add NAME --data /srv/repertoire';
  expect(render({ agentAdd })).toContain(`\`${agentAdd}\` creates one for\n`);
  const text = render({ needsDatabaseUrl: true, store: { state: 'ready', place: 'PostgreSQL' } });
  expect(text.replace(/\s+/g, ' ')).toContain(
    '`repertoire agent add NAME` with the same DATABASE_URL creates one for an agent',
  );
});

test('a long line for a host is broken so that a shell still takes it', () => {
  const program = `node /${'opt/'.repeat(15)}cli.js`;
  expect(render({ connect: `${program} connect HOST --http http://x/mcp` })).toContain(
    `  Connect   ${program} connect HOST \\\n              --http http://x/mcp\n            with a token`,
  );
});

test('without credentials there is no word of a token (H5)', () => {
  expect(render({ authentication: 'off' })).not.toContain('REPERTOIRE_TOKEN');
});

test('folders of --root that are not there are named below the skills', () => {
  const badRoots = [
    { label: '/nope', isMissing: true },
    { label: './file', isMissing: false },
  ];
  expect(render({ badRoots })).toContain(`no problems
            --root /nope: there is no such folder
            --root ./file: it cannot be searched
  Log `);
});

test('what a reason holds stays on its line and harmless', () => {
  expect(render({ store: { state: 'unavailable', place: 'P', reason: 'a\u001b[31m\nb' } })).not.toContain('\u001b');
});

test('names the variable that holds the token instead of a link with it (H5)', () => {
  const text = render({ isTokenOfVariable: true, dashboardUrl: 'http://127.0.0.1:7337/' });
  expect(text).toContain('yours is the value of REPERTOIRE_OPERATOR_TOKEN');
  expect(text).not.toContain('link above');
});
