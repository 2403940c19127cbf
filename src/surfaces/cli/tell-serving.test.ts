// What a server that has started tells of itself, without a server.
import { expect, test } from 'vitest';
import { createRuntime } from '../../skills/run/runtime.ts';
import { type Asked, createCommandWorld } from './fixtures/command-world.ts';
import { exampleSnapshot } from './fixtures/example-values.ts';
import { createDoctorLine } from './server-command.ts';
import { tellServing } from './tell-serving.ts';

const TOKEN = 'rpo_0123456789abcdef0123456789abcdef';

async function tell(asked: Asked, ofVariable: boolean): Promise<string> {
  const world = createCommandWorld(asked);
  const { http, ...others } = world.context.settings;
  const settings = { ...others, http: { ...http, operatorToken: ofVariable ? TOKEN : undefined } };
  const store = { health: async () => ({ isReady: true }) };
  const catalog = { current: exampleSnapshot([], []), roots: [] };
  // The other parts are not asked for anything.
  const served = { catalog, typed: { settings, store, runtime: createRuntime({ skills: [] }) } } as never;
  await tellServing(world.context, served, { url: 'http://127.0.0.1:7337', operatorToken: TOKEN });
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
