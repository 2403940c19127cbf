// What tests of pages look at again and again: accessibility, sideways scrolling, requests to elsewhere.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/**
 * All but minor ones, each with the element. Evaluated, not loaded: the page's policy lets no other script in.
 * `rules`: only these.
 */
export async function foundByAxe(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const results = (await page.evaluate(
    `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) })})`,
  )) as AxeResults;
  return results.violations
    .filter(({ impact }) => impact !== 'minor')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
}

export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > window.innerWidth');

/** Answers that the browser reports as errors, while the page is open: a page asks for nothing that is closed or not there. */
export function refusalsOn(page: Page): readonly string[] {
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  return refused;
}

/** Everything that a page should never do, noted while it is open. */
export function watchForHarm(page: Page, origin: string): readonly string[] {
  const harm: string[] = [];
  page.on('dialog', (dialog) => {
    harm.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:')) harm.push(`request: ${url}`);
  });
  page.on('popup', (popup) => harm.push(`popup: ${popup.url()}`));
  page.on('pageerror', (error) => harm.push(`error: ${error.message}`));
  return harm;
}
