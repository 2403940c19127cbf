// `repertoire serve` beside a collector, and a workflow of two steps to ask it for.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CollectorStandIn, startCollector } from './collector-stand-in.ts';
import { type ServeProcess, startServeProcess } from './serve-process.ts';
import { writeSkill } from './write-skill.ts';

/** What a caller names as its trace: each time another one. */
export function newCaller() {
  const [trace, parent] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { trace, parent, traceparent: `00-${trace}-${parent}-01` };
}

export const PASSWORD = 'correct horse battery';
export const INVOKE = '/api/typed-skills/workflow_coordination/invoke';

/** Each with a user of its own. */
export const workflowFor = (email: string) => ({
  steps: [
    { id: 'user', skill: 'user_creation', input: { email, password: PASSWORD } },
    {
      id: 'task',
      skill: 'task_creation',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of a workflow.
      input: { user_id: '${steps.user.output.user_id}', title: 'Buy violet paper' },
    },
  ],
});

export interface ObservedWorld {
  readonly folder: string;
  collector: CollectorStandIn;
  /** The variable that names the collector. */
  readonly named: () => Readonly<Record<string, string>>;
  readonly serve: (variables: Readonly<Record<string, string>>) => Promise<ServeProcess>;
  readonly close: () => Promise<void>;
}

const HASTE = { OTEL_BSP_SCHEDULE_DELAY: '20', OTEL_METRIC_EXPORT_INTERVAL: '100' };

export async function openObservedWorld(): Promise<ObservedWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-telemetry-'));
  mkdirSync(join(folder, 'skills'));
  writeSkill(join(folder, 'skills'), 'sql-review');
  const servers: ServeProcess[] = [];
  const world: ObservedWorld = {
    folder,
    collector: await startCollector(),
    named: () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: world.collector.url }),
    serve: async (variables) => {
      const options = ['--root', join(folder, 'skills'), '--data', mkdtempSync(join(folder, 'data-'))];
      const environment = { PATH: process.env.PATH, HOME: folder, ...HASTE, ...variables };
      const server = await startServeProcess(options, environment);
      servers.push(server);
      return server;
    },
    close: async () => {
      for (const server of servers) await server.kill();
      await world.collector.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}
