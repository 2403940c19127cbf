import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createEventLog, renderEvent } from './event-log.ts';

describe('renderEvent', () => {
  test('puts the level and the details on one line', () => {
    expect(renderEvent({ level: 'info', message: 'Ready' })).toBe('repertoire: Ready');
    expect(renderEvent({ level: 'warn', message: 'Refused', reason: 'too long' })).toBe(
      'repertoire: warn: Refused (reason: too long)',
    );
  });

  test('lets no control character through', () => {
    expect(renderEvent({ level: 'info', message: 'a\u001b[31m\nb', detail: '\u009b2J' })).toMatch(/^[\x20-\x7e]+$/);
  });
});

describe('createEventLog', () => {
  test('opens its stream at the first event only', () => {
    let opened = 0;
    const stream = new PassThrough();
    const log = createEventLog(() => {
      opened += 1;
      return stream;
    });
    expect(opened).toBe(0);
    log({ level: 'info', message: 'one' });
    log({ level: 'info', message: 'two' });
    expect(opened).toBe(1);
    expect(String(stream.read())).toBe('repertoire: one\nrepertoire: two\n');
  });

  test('drops lines instead of keeping them for a reader that never reads (F10)', () => {
    const stuck = new Writable({ write: () => {} });
    const log = createEventLog(() => stuck);
    for (let index = 0; index < 5000; index++) log({ level: 'info', message: 'x'.repeat(100) });
    expect(stuck.writableLength).toBeLessThan(70_000);
  });
});
