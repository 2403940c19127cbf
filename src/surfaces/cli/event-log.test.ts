// Events of a running server as harmless lines, dropped when nobody reads them.
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createEventLog, renderEvent, renderEventLines, renderJsonEvent } from './event-log.ts';

describe('renderEvent', () => {
  test('puts the level and the details on one line', () => {
    expect(renderEvent({ level: 'info', message: 'Ready' })).toBe('repertoire: Ready');
    expect(renderEvent({ level: 'warn', message: 'Refused', reason: 'too long' })).toBe(
      'repertoire: warn: Refused (reason: too long)',
    );
  });

  test('says nothing of zero losses', () => {
    expect(renderEvent({ level: 'warn', message: 'Cannot record', lost: 0 })).toBe('repertoire: warn: Cannot record');
    expect(renderEvent({ level: 'warn', message: 'Cannot record', lost: 2 })).toContain('(lost: 2)');
  });

  test('puts the places of an error on lines of their own for a person', () => {
    const error = 'Error: no milk\n    at buy (/shop.ts:3:1)\n    at /shop.ts:9:1\u001b[31m';
    expect(renderEventLines({ level: 'error', message: 'Skill "buy" threw', error })).toBe(
      'repertoire: error: Skill "buy" threw (error: Error: no milk)\n    at buy (/shop.ts:3:1)\n    at /shop.ts:9:1',
    );
  });

  test('lets no control character through', () => {
    expect(renderEvent({ level: 'info', message: 'a\u001b[31m\nb', detail: '\u009b2J' })).toMatch(/^[\x20-\x7e]+$/);
  });

  test('for machines neither, and they read the same value (THREATS: terminals)', () => {
    const event = { level: 'info', message: 'printed', text: 'a\u009b2J\u202eb\u001b\u{e0041}' } as const;
    const line = renderJsonEvent(event);
    expect(line).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(line)).toMatchObject(event);
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

  test('tells no credential (T9)', () => {
    const stream = new PassThrough();
    const log = createEventLog(() => stream);
    const tail = 'A1b2C3d4E5f6G7h8I9j0';
    log({ level: 'warn', message: `Cannot read ./ghp_${tail}`, path: `/x/ghp%5F${tail}` });
    expect(String(stream.read())).toBe('repertoire: warn: Cannot read ./[redacted] (path: /x/[redacted])\n');
  });

  test('drops lines instead of keeping them for a reader that never reads (F10)', () => {
    const stuck = new Writable({ write: () => {} });
    const log = createEventLog(() => stuck);
    for (let index = 0; index < 5000; index++) log({ level: 'info', message: 'x'.repeat(100) });
    expect(stuck.writableLength).toBeLessThan(70_000);
  });
});
