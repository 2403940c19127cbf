// HTTP servers for the bench, on free ports: the built program, and the floor beside it.
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readFirstLine, readServing } from '../tests/support/serve-process.ts';
import { programPath } from './measure.ts';
import { startNode, stopNode } from './node-process.ts';
import type { Workshop } from './workshop.ts';

export interface HttpServer {
  readonly pid: number;
  readonly port: number;
  /** Empty where none is asked for. */
  readonly token: string;
  stop(): Promise<void>;
}

const floorPath = fileURLToPath(new URL('./floors/same-bytes.mjs', import.meta.url));

/** As a team would run it: with authentication, with a log. `program`: where another version is built. */
export async function startServe(
  workshop: Workshop,
  root: string,
  options: readonly string[] = [],
  program = programPath,
): Promise<HttpServer> {
  const box = workshop.createBox();
  const words = ['serve', '--root', root, '--port', '0', '--json', ...options];
  const child = startNode([program, ...words], box, ['ignore', 'pipe', 'ignore']);
  const { url, token } = await readServing(child);
  return serverOf(child, Number(new URL(url).port), token ?? '');
}

export async function startFloor(workshop: Workshop, file: string): Promise<HttpServer> {
  const child = startNode([floorPath, file], workshop.createBox(), ['ignore', 'pipe', 'ignore']);
  return serverOf(child, Number(await readFirstLine(child)), '');
}

const serverOf = (child: ChildProcess, port: number, token: string): HttpServer => ({
  pid: child.pid ?? 0,
  port,
  token,
  stop: () => stopNode(child),
});
