// Events of a running server as lines on standard error. A host that never reads them cannot stop the server.
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { RuntimeEvent, RuntimeLog } from '../../skills/record/runtime-log.ts';
import { scrubShapes } from '../../text/credentials.ts';
import { escapeSteering, toOneLine } from '../../text/one-line.ts';

/** What may wait for a reader; lines beyond it are dropped. */
const maxWaitingBytes = 65_536;

/** Opened at the first line: a quiet server never touches standard error. */
export function createEventLog(
  open: () => Writable = openStandardError,
  render: (event: RuntimeEvent) => string = renderEvent,
): RuntimeLog {
  let stream: Writable | undefined;
  return (event) => {
    stream ??= open();
    if (stream.writableLength < maxWaitingBytes) stream.write(`${render(withoutSecrets(event))}\n`);
  };
}

/** What was given on the command line may be told: a folder, an address. */
const withoutSecrets = (event: RuntimeEvent): RuntimeEvent =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => [name, typeof value === 'string' ? scrubShapes(value) : value]),
  ) as unknown as RuntimeEvent; // The same names, and texts for texts.

/** `repertoire: message (detail: value)`. Text from outside is kept on the one line. */
export function renderEvent({ level, message, ...details }: RuntimeEvent): string {
  // That nothing was lost needs no saying.
  const told = Object.entries(details).filter(([name, value]) => name !== 'lost' || value !== 0);
  const said = told.map(([name, value]) => `${name}: ${String(value)}`);
  const mark = level === 'info' ? '' : `${level}: `;
  return toOneLine(`repertoire: ${mark}${message}${said.length === 0 ? '' : ` (${said.join(', ')})`}`, 1000);
}

/** For a person: the places where it was thrown below it, one per line. */
export function renderEventLines(event: RuntimeEvent): string {
  const places: string[] = [];
  const details = Object.entries(event).map(([name, value]) => {
    if (typeof value !== 'string') return [name, value] as const;
    const lines = value.split('\n');
    places.push(...lines.filter(isPlace));
    return [name, lines.filter((line) => !isPlace(line)).join('\n')] as const;
  });
  // Only `trace` is made of nothing else.
  const { level, message, ...others } = Object.fromEntries(
    details.filter(([, value]) => value !== ''),
  ) as unknown as RuntimeEvent;
  return [renderEvent({ ...others, level, message }), ...places.map((place) => `    ${toOneLine(place, 300)}`)].join(
    '\n',
  );
}

const isPlace = (line: string): boolean => /^\s+at /.test(line);

/** For machines: one JSON object per line, with the time. */
export const renderJsonEvent = (event: RuntimeEvent): string =>
  escapeSteering(JSON.stringify({ time: new Date(), ...event }));

/** Lines for a person at a terminal, JSON for whatever else reads standard error. */
export const openStandardErrorLog = (isTerminal: boolean): RuntimeLog =>
  createEventLog(openStandardError, isTerminal ? renderEventLines : renderJsonEvent);

const STDERR = 2;

/** `process.stderr` writes to a pipe synchronously: a full one would block every answer. */
function openStandardError(): Writable {
  const kind = fstatSync(STDERR);
  const waits = process.platform !== 'win32' && (kind.isFIFO() || kind.isSocket());
  const stream = waits ? new Socket({ fd: STDERR, readable: false, writable: true }) : process.stderr;
  // The reader has gone, and there is nowhere to say so.
  stream.on('error', () => stream.destroy());
  return stream;
}
