import { expect, test } from 'vitest';
import { createLocalBus } from './bus.ts';

const failOnFault = (error: unknown) => {
  throw error;
};

test('a message reaches the listeners of its topic, here at once, and says whose it is (N3)', () => {
  const bus = createLocalBus(failOnFault);
  const heard: unknown[] = [];
  bus.subscribe('agents', (body, isOwn) => heard.push([body, isOwn]));
  bus.subscribe('other', () => heard.push('other'));
  bus.publish('agents', { name: 'a' });
  bus.deliver('agents', { name: 'b' });
  expect(heard).toEqual([
    [{ name: 'a' }, true],
    [{ name: 'b' }, false],
  ]);
});

test('a listener that left hears nothing more, and the same function may listen twice', () => {
  const bus = createLocalBus(failOnFault);
  let calls = 0;
  const listen = () => {
    calls += 1;
  };
  const stop = bus.subscribe('t', listen);
  bus.subscribe('t', listen);
  bus.publish('t', {});
  stop();
  bus.publish('t', {});
  expect(calls).toBe(3);
});

test('a listener that throws affects no other, and is reported', () => {
  const faults: unknown[] = [];
  const bus = createLocalBus((error) => faults.push(error));
  let calls = 0;
  bus.subscribe('t', () => {
    throw new Error('mine');
  });
  bus.subscribe('t', () => {
    calls += 1;
  });
  bus.publish('t', {});
  expect([calls, faults]).toEqual([1, [new Error('mine')]]);
});

test('a gap is told to those who asked for it', () => {
  const bus = createLocalBus(failOnFault);
  let gaps = 0;
  const stop = bus.onGap(() => {
    gaps += 1;
  });
  bus.gap();
  stop();
  bus.gap();
  expect(gaps).toBe(1);
});
