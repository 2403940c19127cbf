// One Chromium for the whole run; each test file has pages of its own in it (support/browser.ts).
import type { TestProject } from 'vitest/node';
import { startBrowserServer } from '../support/browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly browserEndpoint: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startBrowserServer();
  project.provide('browserEndpoint', server.wsEndpoint());
  return () => server.close();
}
