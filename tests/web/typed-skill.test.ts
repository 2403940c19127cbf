// A typed skill's page: a form with a field of every kind, what is wrong at its field, an earlier input again.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;

beforeAll(async () => {
  world = await openWebWorld();
});

afterAll(() => world.close());

const see = (path: string, look: (page: Page) => Promise<void>) => world.see(path, look);

describe('a typed skill', () => {
  const field = (page: Page, path: string) => page.locator(`[id="field-${path}"]`);
  const fault = (page: Page, path: string) => page.locator(`[id="field-${path}-fault"]`);
  const fill = async (page: Page, values: Readonly<Record<string, string>>) => {
    for (const [path, value] of Object.entries(values)) await field(page, path).fill(value);
  };
  const add = (page: Page, label: string) =>
    page.locator('fieldset.field', { hasText: label }).last().getByRole('button', { name: /^Add/ }).click();

  test('is invoked by a form that has a field of every kind', () =>
    see('/typed/place_order', async (page) => {
      await fill(page, {
        title: 'Paper',
        count: '3',
        ratio: '0.5',
        'address.street': 'Main St',
        key: 'sesame',
        note: 'x',
      });
      await field(page, 'urgent').selectOption('true');
      await field(page, 'colour').selectOption('"green"');
      await field(page, 'due').fill('2026-01-31T12:00:00');
      await field(page, 'extra').fill('{"a": 1}');
      await add(page, 'tags');
      await fill(page, { 'tags[0]': 'office' });
      await add(page, 'lines');
      await fill(page, { 'lines[0].sku': 'A1', 'lines[0].amount': '2' });
      await page.getByRole('button', { name: 'Invoke' }).click();
      const outcome = page.getByRole('region', { name: 'Succeeded' });
      await outcome.waitFor();
      const shown = JSON.parse(await outcome.locator('pre').innerText());
      expect(shown).toEqual({
        key_length: 6,
        order: {
          ...{ title: 'Paper', count: 3, ratio: 0.5, urgent: true, colour: 'green', note: 'x', tags: ['office'] },
          ...{ address: { street: 'Main St' }, lines: [{ sku: 'A1', amount: 2 }], extra: { a: 1 } },
          due: expect.stringMatching(/^2026-01-3[01]T.*Z$/),
        },
      });
      expect(await outcome.innerText()).toMatch(/Correlation id [0-9a-f-]{36}/);
      expect(await field(page, 'key').getAttribute('type')).toBe('password');
    }));

  test('shows each violation at its field, once (X5, U8)', () =>
    see('/typed/place_order', async (page) => {
      const tooMuch = { title: 'ab', count: '9', ratio: '2', 'address.zip': 'x', key: 'abc' };
      await fill(page, tooMuch);
      await add(page, 'tags');
      await fill(page, { 'tags[0]': 'a' });
      await add(page, 'lines');
      await fill(page, { 'lines[0].amount': '0' });
      await page.getByRole('button', { name: 'Invoke' }).click();
      await fault(page, 'title').waitFor();
      for (const path of [...Object.keys(tooMuch), 'address.street', 'tags[0]', 'lines[0].sku', 'lines[0].amount']) {
        expect(await fault(page, path).count(), path).toBe(1);
        expect(await field(page, path).getAttribute('aria-invalid'), path).toBe('true');
      }
      expect(await page.locator('.field-fault').count()).toBe(9);
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('field-title');
    }));

  test('says what is not even a number or JSON, and sends null where null is chosen', () =>
    see('/typed/place_order', async (page) => {
      await fill(page, { title: 'Paper', count: 'three', 'address.street': 's', key: 'sesame', extra: '{' });
      await page.getByRole('button', { name: 'Invoke' }).click();
      await page.getByText('is not JSON').waitFor();
      await fill(page, { extra: '' });
      await page.getByLabel('note is null').check();
      await page.getByRole('button', { name: 'Invoke' }).click();
      await fault(page, 'count').waitFor();
      await fill(page, { count: '1' });
      await page.getByRole('button', { name: 'Invoke' }).click();
      await page.getByText('"note": null').waitFor();
    }));

  test('takes its whole input as JSON where the schema names no fields', () =>
    see('/typed/anything', async (page) => {
      await page.getByRole('textbox', { name: 'input' }).fill('{ "a": [1, null] }');
      await page.getByRole('button', { name: 'Invoke' }).click();
      const outcome = page.getByRole('region', { name: 'Succeeded' });
      await outcome.waitFor();
      expect(JSON.parse(await outcome.locator('pre').innerText())).toEqual({ a: [1, null] });
      // Its author does not say when it has succeeded, and neither does the page.
      expect(await page.locator('dt').allInnerTexts()).toEqual(['Failures', 'Agents', 'Time limit']);
    }));

  test('says by itself that it was run', () =>
    see('/typed/nap', async (page) => {
      await page.getByText('Not invoked in this period').waitFor();
      await page.locator('[id="field-ms"]').fill('0');
      await page.getByRole('button', { name: 'Invoke' }).click();
      await page.getByRole('region', { name: 'Succeeded' }).waitFor();
      await page.getByText('1 invocation,').waitFor();
    }));

  test('takes an earlier input from the log, without its secrets', async () => {
    const order = {
      title: 'Again',
      count: 2,
      tags: ['ab'],
      address: { street: 'Here' },
      key: 'very secret',
      note: null,
    };
    const { invocation_id } = await world.invoke('place_order', order);
    await see(`/invocations/${invocation_id}`, async (page) => {
      await page.getByText('"title": "Again"').first().waitFor();
      expect(await page.locator('main').innerText()).not.toContain('very secret');
      await page.getByRole('link', { name: 'Open in the form' }).click();
      await page.locator('[id="field-title"]').waitFor();
      const values = ['title', 'count', 'tags[0]', 'address.street', 'key'].map((path) =>
        page.locator(`[id="field-${path}"]`).inputValue(),
      );
      expect(await Promise.all(values)).toEqual(['Again', '2', 'ab', 'Here', '']);
      expect(await page.getByLabel('note is null').isChecked()).toBe(true);
    });
  });
});
