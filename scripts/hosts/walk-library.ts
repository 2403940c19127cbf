// One client library over one transport: its driver runs beside its packages, calls each of our tools, and says what it saw.
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, type Result } from '../../src/values/result.ts';
import type { ClientLibrary } from './client-libraries.ts';
import { openHostWorld, type Transport } from './host-world.ts';
import type { Installed } from './install-packages.ts';
import { startScriptedModel } from './scripted-model.ts';
import {
  createStepModel,
  findLibraryTool,
  findOffered,
  judgeSighting,
  REQUEST,
  type Sighting,
  STEPS,
} from './tool-steps.ts';
import { explainRun, judgeLog, type Walked } from './walk-host.ts';

interface Report {
  readonly names: readonly string[];
  readonly results: readonly string[];
}

const DRIVERS = fileURLToPath(new URL('clients/', import.meta.url));

export async function walkLibrary(
  { driver, hasModel }: ClientLibrary,
  { folder, bin }: Installed,
  transport: Transport,
): Promise<Result<Walked, string>> {
  for (const name of readdirSync(DRIVERS)) copyFileSync(join(DRIVERS, name), join(folder, name));
  const world = await openHostWorld(transport, bin);
  const script = createStepModel(findLibraryTool);
  const model = await startScriptedModel(script.decide);
  try {
    const [file, ...words] = driver;
    const { target: server, log } = world;
    const task = JSON.stringify({ server, log, steps: STEPS, modelUrl: model.url, request: REQUEST });
    const ran = await world.run(['node', join(folder, file), ...words], {}, task);
    if (ran.code !== 0) return fail(explainRun(file, ran));
    const sighting = hasModel === true ? script.sighting() : readReport(ran.printed);
    const faults = judgeSighting(sighting);
    return faults.length > 0 ? fail(faults.join('; ')) : await judgeLog(world, sighting);
  } finally {
    await model.close();
    await world.close();
  }
}

/** The last line of what the driver printed; libraries print more. */
function readReport(printed: string): Sighting {
  const line = printed.split('\n').findLast((each) => each.startsWith('{"names"')) ?? '{"names":[],"results":[]}';
  const { names, results } = JSON.parse(line) as Report; // drive.mjs writes it
  const tools = names.map((name) => ({ name }));
  return { offered: findOffered(tools, findLibraryTool), results };
}
