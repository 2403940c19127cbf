// Frames between a server and the process of a worker skill: any cut of the stream gives the same, and none is too long.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FRAME, FrameReader, frameOf } from './protocol.ts';

type Frame = readonly [kind: number, text: string];

function readCut(bytes: Buffer, cuts: readonly number[]): readonly Frame[] {
  const found: Frame[] = [];
  const reader = new FrameReader(
    () => 1_000,
    (kind, text) => found.push([kind, text]),
  );
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  for (const [index, start] of places.entries())
    expect(reader.push(bytes.subarray(start, places[index + 1]))).toBe(true);
  return found;
}

test('frames come out as they went in, however the stream is cut', () => {
  const frame = fc.tuple(fc.constantFrom(...Object.values(FRAME)), fc.string({ unit: 'grapheme', maxLength: 50 }));
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 20 }), (frames, cuts) => {
      const bytes = Buffer.concat(frames.map(([kind, text]) => frameOf(kind, text)));
      expect(readCut(bytes, cuts)).toEqual(frames);
    }),
  );
});

test('a frame that promises more than is agreed on is refused by its head, before any of it has come (A4)', () => {
  const found: string[] = [];
  const reader = new FrameReader(
    () => 1_000,
    (_kind, text) => found.push(text),
  );
  expect(reader.push(frameOf(0, 'x'.repeat(1_000)))).toBe(true);
  expect(reader.push(Buffer.from([0, 0, 0, 3]))).toBe(true);
  expect(reader.push(Buffer.from([233]))).toBe(false);
  expect(found.map((text) => text.length)).toEqual([1_000]);
});

test('each kind of frame has a limit of its own; one of no kind is refused by its head (A4)', () => {
  const limits: Readonly<Record<number, number>> = { [FRAME.returned]: 1_000, [FRAME.failed]: 10 };
  const isTaken = (kind: number, bytes: number) =>
    new FrameReader(
      (each) => limits[each] ?? -1,
      () => {},
    ).push(frameOf(kind, 'x'.repeat(bytes)));
  expect([isTaken(0, 1_000), isTaken(0, 1_001), isTaken(1, 10), isTaken(1, 11), isTaken(9, 0)]).toEqual([
    true,
    false,
    true,
    false,
    false,
  ]);
});
