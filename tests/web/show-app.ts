// An MCP App as a host shows it: in a sandboxed frame without network, with the official bridge on the other side.
import { fileURLToPath } from 'node:url';
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { watchForHarm } from './look.ts';

const HOST = 'http://host.test/';

/** What a host makes of a resource that asks for no domain at all. */
const NO_NETWORK = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/** The script of the host's page; made once for a test file. */
export async function bundleHost(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('host-page.ts', import.meta.url)),
    platform: 'browser',
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'iife' });
  await bundle.close();
  return output[0].code;
}

/** How the app's calls of tools reach the server. */
export type AppCall = (params: { name: string; arguments?: Record<string, unknown> }) => Promise<unknown>;

export interface ShownApp {
  readonly page: Page;
  readonly app: FrameLocator;
  /** Requests, dialogs, errors: whatever there should be none of. */
  readonly harm: readonly string[];
}

export interface AppToShow {
  readonly html: string;
  readonly hostScript: string;
  /** What the tool answered that the app is shown for. */
  readonly result: object;
  readonly call: AppCall;
  readonly theme?: 'light' | 'dark';
}

export async function showApp(context: BrowserContext, shown: AppToShow): Promise<ShownApp> {
  const { html, hostScript, result, call, theme = 'dark' } = shown;
  const page = await context.newPage();
  const harm = watchForHarm(page, HOST);
  await page.exposeFunction('callTool', call);
  const body = '<!doctype html><iframe title="App" sandbox="allow-scripts" width="600" height="600"></iframe>';
  await page.route(HOST, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(HOST);
  await page.evaluate(hostScript);
  const policed = html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${NO_NETWORK}">`);
  await page.evaluate(`showApp(${JSON.stringify(policed)}, ${JSON.stringify(result)}, ${JSON.stringify(theme)})`);
  return { page, app: page.frameLocator('iframe'), harm };
}
