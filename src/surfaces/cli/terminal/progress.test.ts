// The waiting line: late, seldom, and only on a terminal.
import { expect, test } from 'vitest';
import { createPaint } from './colours.ts';
import { startProgress } from './progress.ts';

function watchProgress(isTerminal: boolean) {
  const written: string[] = [];
  let time = 0;
  const errors = {
    isTerminal,
    columns: 80,
    paint: createPaint(false),
    write: (data: string | Uint8Array) => void written.push(String(data)),
  };
  const progress = startProgress(errors, () => time);
  return {
    written,
    progress,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

test('progress says nothing in the first second (U11)', () => {
  const { written, progress, pass } = watchProgress(true);
  pass(900);
  progress.update('Scanning…');
  progress.end();
  expect(written).toEqual([]);
});

test('progress shows and then clears its line after a second (U11)', () => {
  const { written, progress, pass } = watchProgress(true);
  pass(1100);
  progress.update('Scanning…');
  pass(10);
  progress.update('too soon after the last');
  progress.end();
  expect(written).toEqual(['\r\u001b[KScanning…', '\r\u001b[K']);
});

test('progress stays silent when nobody watches', () => {
  const { written, progress, pass } = watchProgress(false);
  pass(5000);
  progress.update('Scanning…');
  progress.end();
  expect(written).toEqual([]);
});
