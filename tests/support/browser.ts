// A real Chromium for tests of pages: the one that is named or installed, else the one that comes with the packages.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import packaged from '@sparticuz/chromium';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';
import packageJson from '../../package.json' with { type: 'json' };

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

async function findChromium(): Promise<string> {
  const { CHROMIUM } = process.env;
  if (CHROMIUM !== undefined && CHROMIUM !== '') return CHROMIUM;
  return existsSync(INSTALLED) ? INSTALLED : unpackChromium();
}

const INSTALLED = '/usr/bin/chromium';

/** Inside the checkout: in the shared temporary folder lies perhaps that of another user or version, or half of one. */
const UNPACKED = resolve(
  `node_modules/.cache/repertoire/chromium-${packageJson.devDependencies['@sparticuz/chromium']}`,
);

async function unpackChromium(): Promise<string> {
  if (existsSync(UNPACKED)) return join(UNPACKED, 'chromium');
  mkdirSync(dirname(UNPACKED), { recursive: true });
  const unfinished = mkdtempSync(`${UNPACKED}.`);
  chmodSync(unfinished, 0o755);
  await withTemporaryFolder(unfinished, () => packaged.executablePath());
  try {
    renameSync(unfinished, UNPACKED);
  } catch (error) {
    // Another run in this checkout was faster.
    if (!existsSync(UNPACKED)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return join(UNPACKED, 'chromium');
}

/** The package unpacks into the temporary folder, and nowhere else. */
async function withTemporaryFolder(folder: string, work: () => Promise<unknown>): Promise<void> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    await work();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
