// One host over one transport: connected by `connect`, told of a scripted model, asked once. The proof is what the model
// was offered, what came back from each call, and what our log says.
import { setTimeout as wait } from 'node:timers/promises';
import { fail, ok, type Result } from '../../src/values/result.ts';
import { type HostWorld, type Load, openHostWorld, type Transport } from './host-world.ts';
import type { Installed } from './install-packages.ts';
import { type Place, type RealHost, writeSettings } from './real-hosts.ts';
import type { Ran } from './run-command.ts';
import { startScriptedModel } from './scripted-model.ts';
import {
  createStepModel,
  findTool,
  judgeSighting,
  REQUEST,
  type Sighting,
  STEPS,
  type StepModel,
} from './tool-steps.ts';

export interface Walked {
  /** How the model reads the tool `skill`. */
  readonly toolName: string;
  /** As the log names the client. */
  readonly client: string;
}

export async function walkHost(
  host: RealHost,
  { folder, bin }: Installed,
  transport: Transport,
): Promise<Result<Walked, string>> {
  const world = await openHostWorld(transport, bin);
  const script = createStepModel(findTool, 'finder' in host ? host.finder : undefined);
  const model = await startScriptedModel(async (asked) => {
    const said = script.decide(asked);
    // Models think for seconds. This one does not, and some hosts kill the server the moment they are done with it.
    if ('text' in said && script.isDone()) await waitForLoads(world);
    return said;
  });
  const place = { modelUrl: model.url, folder, home: world.home, project: world.project };
  try {
    const ready = await prepare(host, world, place);
    if (!ready.ok) return ready;
    const troubles = await ask(host, world, place, script);
    const faults = [...judgeSighting(script.sighting()), ...troubles];
    if (faults.length > 0) return fail([...faults, `the model was asked ${summarise(model.requests())}`].join('; '));
    return await judgeLog(world, script.sighting());
  } finally {
    await model.close();
    await world.close();
  }
}

/** As a person would: settings for the model, then `connect`, then `connect --check`. */
async function prepare(host: RealHost, world: HostWorld, place: Place): Promise<Result<undefined, string>> {
  writeSettings(host, place);
  for (const command of host.prepare?.(place) ?? []) {
    const ran = await world.run(command, host.environment?.(place) ?? {});
    if (ran.code !== 0) return fail(explainRun(command.join(' '), ran));
  }
  const connected = await world.connect(host.id);
  if (connected.code !== 0) return fail(explainRun(`connect ${host.id}`, connected));
  const checked = await world.check(host.id);
  return checked.code === 0 ? ok(undefined) : fail(explainRun(`connect ${host.id} --check`, checked));
}

/** Through its model, or, where it has none, call by call. */
async function ask(host: RealHost, world: HostWorld, place: Place, script: StepModel): Promise<readonly string[]> {
  const environment = host.environment?.(place) ?? {};
  if ('command' in host) {
    const command = host.command(REQUEST, place);
    const ran = await world.run(command, environment);
    return ran.code === 0 ? [] : [explainRun(command[0] ?? '', ran)];
  }
  const listed = await world.run(host.list, environment);
  const tools = STEPS.filter(({ tool }) => listed.printed.includes(tool)).map(({ tool }) => ({
    name: tool,
    namespace: 'repertoire',
  }));
  const results: string[] = [];
  for (;;) {
    const said = script.decide({ tools, text: REQUEST, results });
    if (!('call' in said)) return [];
    const ran = await world.run(host.call(said.call.name, said.input), environment);
    if (ran.code !== 0) return [explainRun(said.call.name, ran)];
    results.push(ran.printed);
  }
}

/** Each way to read a skill has left its line. */
export async function judgeLog(world: HostWorld, { offered }: Sighting): Promise<Result<Walked, string>> {
  const loads = await world.readLoads();
  const missing = findUnrecorded(loads);
  if (missing.length > 0) return fail(`the log of the server has no load by ${missing.join(', ')}`);
  const { name, namespace } = offered.get('skill') ?? { name: '' };
  const toolName = namespace === undefined ? name : `${name} in ${namespace}`;
  return ok({ toolName, client: loads[0]?.client ?? '' });
}

async function waitForLoads(world: HostWorld): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS && findUnrecorded(await world.readLoads()).length > 0; looks += 1)
    await wait(200);
}

const MAX_LOOKS = 20;

/** Tools that read a skill as a whole, which is what the log records. */
const RECORDED = ['skill', 'get_skill'];

const findUnrecorded = (loads: readonly Load[]): readonly string[] =>
  RECORDED.filter((surface) => !loads.some((load) => load.surface === surface));

export const explainRun = (what: string, { code, printed }: Ran): string =>
  `${what} ${code === null ? 'did not end in time' : `ended with ${code}`}: ${printed.trim().slice(-1_500)}`;

/** The last addresses tell most. */
const summarise = (requests: readonly string[]): string =>
  requests.length === 0 ? 'nothing' : `${requests.length} times, last ${requests.slice(-3).join(', ')}`;
