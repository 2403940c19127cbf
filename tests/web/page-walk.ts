// Walks one open page through many addresses from inside, as fast as it draws, and notes what must not be in it.
import type { Page } from 'playwright-core';
import { PATIENCE_MS } from '../support/patience.ts';

export interface Stop {
  readonly path: string;
  /** What must be shown there, by selector; its text must hold `text`. */
  readonly shows?: string;
  readonly text?: string;
  /** The name of a button to press, once it is there; looked at before and after. */
  readonly press?: string;
}

/** What was wrong, stop by stop; nothing when all was well. */
export async function walkPage(page: Page, stops: readonly Stop[]): Promise<readonly string[]> {
  await page.evaluate(WALKER);
  return page.evaluate(`walk(${JSON.stringify(stops)})`);
}

/** Elements, attributes and addresses that no text of a skill may become. */
const FIND_HARM = `[...document.querySelectorAll('body *')].flatMap((element) => {
  const bad = ['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'IMG', 'STYLE', 'LINK', 'META', 'BASE', 'VIDEO', 'AUDIO', 'TEMPLATE'];
  const handlers = [...element.attributes].filter(({ name }) => name.startsWith('on'));
  const runs = /^\\s*(javascript|data|vbscript):/i.test(element.getAttribute('href') ?? '');
  const drawn = element.closest('.prose') !== null && element.closest('svg, math, form, [style]') !== null;
  const tells = element.target === '_blank' && !element.rel.includes('noopener');
  return bad.includes(element.tagName) || tells || handlers.length > 0 || runs || drawn ? [element.outerHTML.slice(0, 200)] : [];
})`;

/** A page is whole when it was drawn, everything was answered that it asked for then, and that was drawn, too. */
const WALKER = `
if (window.walk === undefined) {
  let asked = 0;
  const plainFetch = window.fetch;
  window.fetch = async (...given) => {
    asked += 1;
    try {
      return await plainFetch(...given);
    } finally {
      asked -= 1;
    }
  };
  window.stopped = [];
  addEventListener('securitypolicyviolation', ({ blockedURI }) => window.stopped.push(blockedURI));
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const until = async (isSo) => {
    for (const end = performance.now() + ${PATIENCE_MS}; !isSo(); await frame()) if (performance.now() > end) return false;
    return true;
  };
  const isWhole = () => asked === 0 && document.querySelector('h1') !== null && document.querySelector('.skeleton') === null;
  const whole = async () => {
    // What a component asks for, it asks for in the frame after the one that drew it.
    await frame();
    await frame();
    const isDone = await until(isWhole);
    await frame();
    return isDone ? [] : ['it does not come to rest'];
  };
  const harmNow = () => [...${FIND_HARM}, ...window.stopped.splice(0)];
  const shown = async ({ shows, text = '' }) => {
    if (shows === undefined) return [];
    const isThere = await until(() => [...document.querySelectorAll(shows)].some((one) => (one.value ?? one.textContent).includes(text)));
    return isThere ? [] : ['it does not show ' + shows + ' ' + text];
  };
  const pressed = async ({ press }) => {
    if (press === undefined) return [];
    const find = () => [...document.querySelectorAll('button')].find(({ textContent }) => textContent === press);
    if (!(await until(() => find() !== undefined))) return ['it has no button ' + press];
    find().click();
    return whole();
  };
  window.walk = async (stops) => {
    const wrong = [];
    for (const stop of stops) {
      history.pushState(null, '', stop.path);
      dispatchEvent(new Event('repertoire:moved'));
      const found = [...(await whole()), ...(await shown(stop)), ...harmNow(), ...(await pressed(stop)), ...harmNow()];
      wrong.push(...found.map((what) => stop.path + ': ' + what));
    }
    return wrong;
  };
}`;
