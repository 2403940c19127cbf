// What is answered to something that is not HTTP, or that never ends: a status and a plain sentence, nothing of ours.
import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type FailureCode, failureOf } from '../../../skills/define/failure.ts';
import { codeOf } from '../../../values/error-code.ts';
import { failureBody } from '../message/failure-reply.ts';
import { SECURITY_HEAD } from './guarded-response.ts';

interface RawFailure {
  readonly status: number;
  readonly code: FailureCode;
  readonly message: string;
}

const invalid = (status: number, details: string): RawFailure => ({
  status,
  code: 'VALIDATION_ERROR',
  message: failureOf('VALIDATION_ERROR', { details }).message,
});

const NOT_HTTP = invalid(400, 'this is not a request of HTTP/1.1');

/** By the code of Node's error. */
const ANSWERS: ReadonlyMap<string, RawFailure> = new Map([
  ['HPE_HEADER_OVERFLOW', invalid(431, 'the headers are too long')],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', invalid(413, 'the chunk extensions are too long')],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, code: 'TIMEOUT', message: 'The request did not end in time' }],
]);

/** A server of its own, not a way to others. */
const NO_TUNNEL = invalid(405, 'CONNECT is not possible here; use GET or POST');

/** How long the last words may take to be read. */
const FAREWELL_MS = 500;

/** `running`: an answer on this connection that is not finished. */
export function answerClientError(error: Error, socket: Socket, running: ServerResponse | undefined): void {
  // What is on its way may still arrive.
  setTimeout(() => socket.destroy(), FAREWELL_MS);
  if (socket.writable && !isSpokenFor(running)) socket.end(asText(ANSWERS.get(codeOf(error) ?? '') ?? NOT_HTTP));
}

/** Node hands over the bare socket, and closes it unless it is taken. */
export function refuseConnect(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.end(asText(NO_TUNNEL, 'Allow: GET, HEAD, POST, DELETE\r\n'));
}

/** Our words would land in the middle of that answer, or be taken for it. */
const isSpokenFor = (running: ServerResponse | undefined): boolean =>
  running !== undefined && (running.headersSent || running.req.complete);

function asText({ status, code, message }: RawFailure, furtherHead = ''): string {
  const correlationId = randomUUID();
  const body = JSON.stringify(failureBody(code, message, correlationId));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`,
    'Content-Type: application/json; charset=utf-8\r\n',
    `Content-Length: ${Buffer.byteLength(body)}\r\n`,
    'Connection: close\r\n',
    `X-Correlation-Id: ${correlationId}\r\n`,
    SECURITY_HEAD,
    furtherHead,
    `\r\n${body}`,
  ].join('');
}
