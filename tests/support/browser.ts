// A real Chromium for tests of pages: the one that is named or installed, else the one that comes with the packages.
import { existsSync } from 'node:fs';
import packaged from '@sparticuz/chromium';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Otherwise that of the machine, which may be one that no page understands (C, POSIX).
  '--lang=en-US',
];

export async function openBrowser(): Promise<Browser> {
  return chromium.launch(await settings());
}

/** One that several processes share, each with contexts of its own: `chromium.connect` takes its address. */
export async function startBrowserServer(): Promise<BrowserServer> {
  return chromium.launchServer(await settings());
}

const settings = async () => ({ executablePath: await findChromium(), args: FLAGS });

/** The packaged one is unpacked into the temporary folder, once for all runs. */
async function findChromium(): Promise<string> {
  const { CHROMIUM } = process.env;
  if (CHROMIUM !== undefined && CHROMIUM !== '') return CHROMIUM;
  return existsSync(INSTALLED) ? INSTALLED : packaged.executablePath();
}

const INSTALLED = '/usr/bin/chromium';
