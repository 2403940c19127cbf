// A person at a real browser, without scripts, who allows what a host asks for: they sign in on the page, and the browser goes
// back to the host's own address (O3).
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { PATIENCE_MS } from './patience.ts';

export interface Person {
  /** Where hosts have the browser sent back to. */
  readonly back: string;
  /** What the host is told at its address. */
  allow(url: URL): Promise<URLSearchParams>;
  close(): void;
}

type Credentials = { readonly token: string } | { readonly email: string; readonly password: string };

export async function createPerson(browser: Browser, credentials: Credentials): Promise<Person> {
  const server = createServer((_asked, answer) => void answer.end('You can close this window.'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // It listens on TCP, so it has a port.
  const back = `http://127.0.0.1:${port}/callback`;
  return {
    back,
    allow: async (url) => {
      const context = await browser.newContext({ javaScriptEnabled: false });
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      await page.goto(url.href);
      if ('token' in credentials) await page.getByLabel('Operator token').fill(credentials.token);
      else {
        await page.getByLabel('Email').fill(credentials.email);
        await page.getByLabel('Password').fill(credentials.password);
      }
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL(`${back}**`);
      const told = new URL(page.url()).searchParams;
      await context.close();
      return told;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
