// Nothing jumps: how far each page moves what it has already shown, as browsers measure it, wide and narrow.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSampleRuns } from './sample-runs.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;

/** Of the share of the window that moves, times how far. Below 0.1 is called good; we promise half of that. */
const MOST = 0.05;

beforeAll(async () => {
  world = await openWebWorld();
  await makeSampleRuns(world);
});

afterAll(() => world.close());

const PATHS = [
  '/',
  '/skills',
  '/documents/sql-review',
  '/typed/place_order',
  '/typed/nap',
  '/activity',
  '/runs',
  '/schedules',
  '/problems',
  '/connect',
  '/connect?host=codex',
  '/?host=claude-code',
];

test.each([
  { width: 1280, height: 900 },
  { width: 380, height: 800 },
])('at $width pixels no page moves what is on the screen', async (viewport) => {
  const page = await world.open('/nowhere', { viewport });
  await page.addInitScript(WATCH_SHIFTS);
  const begin = await slowAnswers(page);
  for (const path of PATHS) {
    begin();
    await page.goto(world.server.url + path);
    await untilStill(page);
    const { sum, moved } = (await page.evaluate('window.shifts')) as Shifts;
    expect({ path, isStill: sum < MOST, moved: sum < MOST ? [] : moved }).toEqual({ path, isStill: true, moved: [] });
  }
  await page.context().close();
});

test('a banner covers the foot of the page and moves nothing (H6)', () =>
  world.see('/skills', async (page) => {
    await page.getByRole('link', { name: 'sql-review' }).waitFor();
    const before = await page.locator('h1').boundingBox();
    const json = { status: 'degraded', reasons: ['Cannot use the database: it is away'] };
    await page.clock.install();
    await page.route('**/ready', (route) => route.fulfill({ status: 503, json }));
    await page.reload();
    await page.getByText('it is away. Documents are still served.').waitFor();
    expect(await page.locator('h1').boundingBox()).toEqual(before);
  }));

interface Shifts {
  readonly sum: number;
  readonly moved: readonly string[];
}

/** Only what nobody asked for by a key or a click. */
const WATCH_SHIFTS = `
window.shifts = { sum: 0, moved: [] };
const nameOf = (node) => node === null ? 'gone' : (node.outerHTML ?? node.textContent ?? '').slice(0, 80);
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    window.shifts.sum += entry.value;
    for (const { node, previousRect, currentRect } of entry.sources)
      window.shifts.moved.push([entry.value.toFixed(3), nameOf(node), previousRect.y, currentRect.y, previousRect.x, currentRect.x].join(' '));
  }
}).observe({ type: 'layout-shift', buffered: true });`;

/** Each answer a little later than the one before, so that the page is drawn in between. Answers how to begin anew. */
async function slowAnswers(page: Page): Promise<() => void> {
  let turn = 0;
  await page.route(/\/(api\/(?!events|me)|ready|assets\/uPlot)/, async (route) => {
    turn += 1;
    await new Promise((resolve) => setTimeout(resolve, 40 * turn));
    await route.continue().catch(() => undefined);
  });
  return () => {
    turn = 0;
  };
}

/** What comes late has come, and was drawn. */
async function untilStill(page: Page): Promise<void> {
  await page.waitForSelector('h1');
  await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
  await page.waitForTimeout(400);
}

test('at 380 pixels the name of an agent is not broken, and the question before it is revoked stays inside its card (H5)', async () => {
  const scopes = ['log:read', 'skills:propose', 'skills:approve', 'runs:approve'];
  await world.addAgent('OrchestratorAgent', { scopes });
  const page = await world.open('/agents', { viewport: { width: 380, height: 800 } });
  await page.getByRole('button', { name: 'Revoke OrchestratorAgent' }).click();
  const name = await page.getByText('OrchestratorAgent').first().boundingBox();
  const table = await page.locator('.table-wrap').boundingBox();
  const question = await page.getByRole('button', { name: 'Really revoke OrchestratorAgent' }).boundingBox();
  expect(name?.height).toBeLessThan(30);
  expect(rightOf(question)).toBeLessThan(rightOf(table));
  await page.context().close();
});

const rightOf = (box: { readonly x: number; readonly width: number } | null): number =>
  (box?.x ?? 0) + (box?.width ?? 0);
