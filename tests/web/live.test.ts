// The one event stream of a page: ticks while it is away, slow ones beside it, and one when it is back. Without a browser.
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { useOwnTimers } from '../../src/async/fixtures/own-timers.ts';
import { listen } from '../../web/src/api/live.ts';

class FakeStream extends EventTarget {
  static readonly CLOSED = 2;
  static readonly all: FakeStream[] = [];
  readyState = 0;
  onopen = () => undefined;
  onerror = () => undefined;

  constructor() {
    super();
    FakeStream.all.push(this);
  }

  close(): void {
    this.readyState = FakeStream.CLOSED;
  }
}

const newest = () => FakeStream.all.at(-1) as FakeStream;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeStream);
  vi.stubGlobal('document', { hidden: false });
  FakeStream.all.length = 0;
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
});

function openListener(): string[] {
  const heard: string[] = [];
  onTestFinished(listen(({ kind }) => heard.push(kind)));
  return heard;
}

test('a stream that fails every three seconds leaves a tick every five', () => {
  const heard = openListener();
  for (let turn = 0; turn < 10; turn++) {
    newest().onerror();
    vi.advanceTimersByTime(3_000);
  }
  expect(heard).toEqual(Array(6).fill('tick'));
});

test('what may have been missed is looked at when the stream is back, and not when it first opens', () => {
  const heard = openListener();
  newest().onopen();
  expect(heard).toEqual([]);
  newest().onerror();
  newest().onopen();
  expect(heard).toEqual(['tick']);
});

test('a stream that was refused is tried again after half a minute', () => {
  const heard = openListener();
  newest().close();
  newest().onerror();
  newest().onerror();
  vi.advanceTimersByTime(30_000);
  expect(FakeStream.all).toHaveLength(2);
  heard.length = 0;
  newest().onopen();
  expect(heard).toEqual(['tick']);
});

test.each(['load', 'catalog', 'connection'])('an event %s is told at once (U1)', (kind) => {
  const heard = openListener();
  newest().dispatchEvent(new Event(kind));
  expect(heard).toEqual([kind]);
});

test('beside an open stream there is a tick every fifteen seconds: others share the store', () => {
  const heard = openListener();
  newest().onopen();
  vi.advanceTimersByTime(14_999);
  expect(heard).toEqual([]);
  vi.advanceTimersByTime(30_001);
  expect(heard).toEqual(['tick', 'tick', 'tick']);
});

test('after the last listener nothing is left', () => {
  const timers = useOwnTimers();
  const stop = listen(() => undefined);
  newest().onerror();
  stop();
  expect([timers.count(), newest().readyState]).toEqual([0, FakeStream.CLOSED]);
});
