// Charts of the overview: what a point stands for in words, gaps as gaps, all three lines to be seen (U12).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;

beforeAll(async () => {
  world = await openWebWorld();
  // A server on which something ran opens with the overview.
  await world.invoke('anything', {});
});

afterAll(() => world.close());

const MINUTES = 60;

interface Point {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** An overview whose durations are these, oldest first, the rest of the hour without any. */
async function seeDurations(
  points: readonly (Point | undefined)[],
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await world.open('/problems');
  await page.route('**/api/overview*', async (route) => {
    const overview = await (await route.fetch()).json();
    const series = overview.series.map((step: object, at: number) => ({
      ...step,
      ...(points[at] === undefined
        ? { p50: null, p95: null, p99: null }
        : { ...points[at], count: 4, success_count: 3, failure_count: 1 }),
    }));
    await route.fulfill({ json: { ...overview, series } });
  });
  await page.goto(world.server.url);
  await page.locator('.chart canvas').nth(2).waitFor();
  await look(page);
  await page.context().close();
}

const all = (value: number): Point => ({ p50: value, p95: value, p99: value });
const durations = (page: Page) => page.getByRole('slider', { name: 'Duration of invocations' });
const tip = (page: Page) => page.locator('.chart-tip');

test('a point says its time and its values in words, under the mouse and by keyboard (U12)', () =>
  seeDurations([{ p50: 4, p95: 90, p99: 2_500 }], async (page) => {
    await durations(page)
      .locator('.u-over')
      .hover({ position: { x: 1, y: 40 } });
    await expect
      .poll(() => tip(page).innerText())
      .toMatch(/^\d\d:\d\d to \d\d:\d\d\nmedian 4 ms\n95th percentile 90 ms\n99th percentile 2.50 s$/);
    await page.mouse.move(5, 5);
    await expect.poll(() => tip(page).count()).toBe(0);
    await durations(page).focus();
    await page.keyboard.press('Home');
    await expect.poll(() => tip(page).innerText()).toContain('median 4 ms');
    expect(await durations(page).getAttribute('aria-valuetext')).toContain(': median 4 ms, 95');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => tip(page).innerText()).toContain('nothing ran');
    await page.keyboard.press('Tab');
    await expect.poll(() => tip(page).innerText()).not.toContain('percentile');
    const bars = page.getByRole('slider', { name: /^Invocations per minute/ });
    await bars.focus();
    await page.keyboard.press('Home');
    await expect.poll(() => tip(page).innerText()).toMatch(/3 succeeded\n1 failed$/);
  }));

test('legends say in plain words what is drawn (U12)', () =>
  seeDurations([], async (page) => {
    expect((await page.locator('.legend').allInnerTexts()).map((text) => text.split(/\n/))).toEqual([
      ['succeeded', 'failed'],
      ['median', '95th percentile', '99th percentile'],
      ['read'],
    ]);
    expect(await page.locator('main').innerText()).not.toMatch(/\bp(50|95|99)\b/);
  }));

test('no line is drawn through a time without runs, and all three are seen where they are the same (U12)', () =>
  seeDurations(
    Array.from({ length: MINUTES }, (_, at) => (at < 20 || at > 40 ? all(50) : undefined)),
    async (page) => {
      const colours = await drawnColours(page);
      expect(colours.gap).toEqual([]);
      expect(colours.line).toEqual(['--chart-p50', '--chart-p95', '--chart-p99']);
    },
  ));

test('milliseconds and seconds are both to be seen: a tenfold is as high everywhere (U12)', () =>
  seeDurations(
    [
      { p50: 2, p95: 200, p99: 20_000 },
      { p50: 2, p95: 200, p99: 20_000 },
    ],
    async (page) => {
      const [p50, p95, p99] = await heightsOfLines(page);
      expect(Math.abs((p50 ?? 0) - (p95 ?? 0) - ((p95 ?? 0) - (p99 ?? 0)))).toBeLessThanOrEqual(4);
      expect((p50 ?? 0) - (p99 ?? 0)).toBeGreaterThan(60);
    },
  ));

/** Which of the colours of lines are in a narrow strip of the canvas: in the middle, and a quarter from the left. */
const drawnColours = (page: Page): Promise<{ readonly gap: readonly string[]; readonly line: readonly string[] }> =>
  page.evaluate(`(() => {
    ${LOOK}
    return { gap: coloursAt(0.5), line: coloursAt(0.2) };
  })()`);

/** Where the lines are at the first point, from the top. */
const heightsOfLines = (page: Page): Promise<readonly number[]> =>
  page.evaluate(`(() => {
    ${LOOK}
    return COLOURS.map((name) => rowsOf(name, 0, 0.015)).map((rows) => rows.reduce((sum, row) => sum + row, 0) / rows.length);
  })()`);

const LOOK = `
const COLOURS = ['--chart-p50', '--chart-p95', '--chart-p99'];
const holder = document.querySelector('[aria-label="Duration of invocations"]');
const canvas = holder.querySelector('canvas');
const over = holder.querySelector('.u-over');
const scale = canvas.width / canvas.clientWidth;
const partsOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim().match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16));
const KNOWN = [...COLOURS, '--line', '--surface'].map((name) => ({ name, parts: partsOf(name) }));
/** Edges are smoothed: a pixel has the colour that it is nearest to. */
const nameOf = (pixel) => {
  if (pixel[3] < 128) return '--surface';
  const away = ({ parts }) => parts.reduce((sum, part, index) => sum + Math.abs(part - pixel[index]), 0);
  return KNOWN.toSorted((one, other) => away(one) - away(other))[0].name;
};
/** Rows of the plot in which that colour is, between two shares of its width. */
const rowsOf = (name, from, to) => {
  const [left, width, height] = [over.offsetLeft + over.clientWidth * from, Math.max(2, over.clientWidth * (to - from)), over.clientHeight].map((size) => Math.round(size * scale));
  const { data } = canvas.getContext('2d').getImageData(left, Math.round(over.offsetTop * scale), width, height);
  const rows = new Set();
  for (let at = 0; at < data.length; at += 4) if (nameOf(data.subarray(at, at + 4)) === name) rows.add(Math.floor(at / 4 / width));
  return [...rows];
};
const coloursAt = (share) => COLOURS.filter((name) => rowsOf(name, share, share + 0.02).length > 0);
`;
