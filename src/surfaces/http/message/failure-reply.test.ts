// Every failure has its status and the one body of the API (H3).
import { expect, test } from 'vitest';
import { createLatch } from '../../../../tests/support/latch.ts';
import { FAILURE_CODES, FAILURE_MODES, type FailureCode } from '../../../skills/define/failure.ts';
import { openTestServer } from '../fixtures/open-test-server.ts';
import { HTTP_STATUS, replyFailure } from './failure-reply.ts';

const answering = (code: FailureCode) =>
  openTestServer({
    api: { handle: (admitted) => replyFailure(admitted, code, { details: 'd', reason: 'r', retry_after: 7 } as never) },
  });

test.each(FAILURE_CODES)('%s (H3)', async (code) => {
  const server = await answering(code);
  const answer = await server.ask('/api/x');
  const { severity, suggestedAction } = FAILURE_MODES[code];
  expect(answer.status).toBe(HTTP_STATUS[code]);
  expect(await answer.json()).toEqual({
    success: false,
    failure_code: code,
    failure_message: expect.stringMatching(/\w/),
    severity,
    suggested_action: suggestedAction,
    correlation_id: answer.headers.get('x-correlation-id'),
  });
});

test('RATE_EXCEEDED says when to come back; a status, headers and a message of its own are possible (H3)', async () => {
  expect((await (await answering('RATE_EXCEEDED')).ask('/api/x')).headers.get('retry-after')).toBe('7');
  const server = await openTestServer({
    api: {
      handle: (admitted) =>
        replyFailure(admitted, 'NOT_FOUND', 'The log is off', { status: 410, headers: { Allow: 'GET' } }),
    },
  });
  const answer = await server.ask('/api/x');
  expect([answer.status, answer.headers.get('allow')]).toEqual([410, 'GET']);
  expect(await answer.json()).toMatchObject({ failure_message: 'The log is off' });
});

test('an answer that has begun is broken off instead (T9)', async () => {
  const begun = createLatch();
  const server = await openTestServer({
    api: {
      handle: async (admitted) => {
        admitted.response.writeHead(200, { 'Content-Length': 100 }).write('half');
        await begun.opened;
        replyFailure(admitted, 'INTERNAL_ERROR', {});
      },
    },
  });
  const answer = await server.ask('/api/x');
  begun.open();
  await expect(answer.text()).rejects.toThrow();
});
