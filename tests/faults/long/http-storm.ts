// Clients that no server wishes for, against the built program (F10): slow, greedy, many, enormous, deep. Others must not notice.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { peakMegabytes, residentMegabytes } from '../../support/process-statistics.ts';
import type { ServeProcess } from '../../support/serve-process.ts';
import { createServeWorld, untilHolds } from '../serve-world.ts';
import { startBystander } from '../storm-bystander.ts';
import { dripSlowly, neverRead, openAtOnce, sendDeep, sendHuge } from '../storm-clients.ts';
import { expectWithin, type FaultPart } from './fault-part.ts';

/** A client that behaves is answered within this. */
const LIMIT_MS = 2_000;
const MOST_MEGABYTES = 500;
/** Longer than the server waits for the rest of a request, or for a reader that takes nothing. */
const CLOSED_LIMIT_MS = 40_000;
/** Keep-alive connections of the bystander, and what the program opens lazily. */
const SPARE_DESCRIPTORS = 12;

/** What is sent → what the storm says about itself. */
const STORMS: Readonly<Record<string, (server: ServeProcess) => Promise<string>>> = {
  '60 slow senders': (server) => dripSlowly(server, 60),
  '50 readers that never read': (server) => neverRead(server, 50),
  '500 connections at once': (server) => openAtOnce(server, 500),
  '40 bodies of 20 MB': (server) => sendHuge(server, 40, 20_000_000),
  'JSON of 20,000 levels': (server) => sendDeep(server, 20_000, 20),
};

export const httpStormFaults: FaultPart = async (context) => {
  const folder = context.folder('http-storm');
  const server = await createServeWorld(folder).start({ kind: 'sqlite', dataDirectory: join(folder, 'data') });
  try {
    for (const [name, storm] of Object.entries(STORMS)) {
      context.progress(name);
      await context.check(`storm: ${name}`, () => weather(server, storm));
    }
  } finally {
    await server.stop();
  }
};

async function weather(server: ServeProcess, storm: (server: ServeProcess) => Promise<string>): Promise<string> {
  const bystander = startBystander(server);
  let said: string;
  try {
    await bystander.settled;
    const before = countDescriptors(server);
    said = await within(CLOSED_LIMIT_MS, storm(server));
    const closedMs = await untilHolds(
      'connections are closed',
      async () => countDescriptors(server) <= before + SPARE_DESCRIPTORS,
    );
    expectWithin(CLOSED_LIMIT_MS, 'connections closed', closedMs);
  } finally {
    await bystander.stop();
  }
  const { asked, slowestMs, complaint } = bystander.figures();
  if (complaint !== undefined) throw new Error(`the bystander: ${complaint}`);
  if (slowestMs > LIMIT_MS) throw new Error(`the bystander waited ${slowestMs} ms`);
  const [now, peak] = [residentMegabytes(server.pid), peakMegabytes(server.pid)].map(Math.round);
  if (peak === undefined || peak > MOST_MEGABYTES) throw new Error(`it took ${peak} MB`);
  return `${said}; ${asked} others answered, the slowest in ${slowestMs} ms; RSS ${now} MB, peak ${peak} MB`;
}

const countDescriptors = ({ pid }: ServeProcess): number => readdirSync(`/proc/${pid}/fd`).length;

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`still there after ${limitMs} ms`)), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
