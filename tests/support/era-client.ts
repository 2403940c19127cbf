// A client that asks the same things in either era of the protocol, and keeps what the server tells unasked.
import { modernMeta } from './modern-meta.ts';
import type { Message, RawClient } from './raw-client.ts';
import type { World } from './world.ts';

export const eras = ['legacy', 'modern'] as const;
export type Era = (typeof eras)[number];
type Fields = Record<string, unknown>;

export interface EraClient {
  readonly era: Era;
  readonly raw: RawClient;
  request(method: string, params?: Fields): Promise<Message>;
  /** The result; throws where the protocol answered an error. */
  get(method: string, params?: Fields): Promise<Fields>;
  /** The code of the error that is the answer. */
  codeOf(method: string, params?: Fields): Promise<number | undefined>;
  /** Every page, one after the other. */
  pages(method: string, params?: Fields): Promise<readonly Fields[]>;
  /** Resolves when the server has taken note. */
  subscribe(uri: string): Promise<void>;
  /** URIs of the resources that the server said were updated. */
  updated(): readonly unknown[];
}

export async function serveEra(world: World, era: Era, roots: readonly string[]): Promise<EraClient> {
  const args = roots.flatMap((root) => ['--root', root]);
  const raw = await world.serve({ args, greet: era === 'legacy' });
  const request = (method: string, params: Fields = {}) =>
    raw.request(method, era === 'legacy' ? params : { ...params, _meta: modernMeta() });
  const get = async (method: string, params: Fields = {}) => {
    const { result, error } = await request(method, params);
    if (result === undefined) throw new Error(`${method} ${JSON.stringify(params)}: ${JSON.stringify(error)}`);
    return result;
  };
  return {
    era,
    raw,
    request,
    get,
    codeOf: async (method, params) => (await request(method, params)).error?.code,
    pages: (method, params = {}) => allPages(get, method, params),
    subscribe: (uri) => subscribe(raw, era, uri),
    updated: () =>
      raw.notifications
        .filter(({ method }) => method === 'notifications/resources/updated')
        .map(({ params }) => params?.uri),
  };
}

async function allPages(get: EraClient['get'], method: string, params: Fields): Promise<readonly Fields[]> {
  const pages: Fields[] = [];
  let cursor: unknown;
  do {
    const page = await get(method, cursor === undefined ? params : { ...params, cursor });
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

async function subscribe(raw: RawClient, era: Era, uri: string): Promise<void> {
  if (era === 'legacy') {
    await raw.request('resources/subscribe', { uri });
    return;
  }
  const known = raw.notifications.length;
  const notifications = { resourceSubscriptions: [uri] };
  // Its answer comes when the subscription ends, so it is not waited for.
  const params = { notifications, _meta: modernMeta() };
  raw.send({ jsonrpc: '2.0', id: `listen ${uri}`, method: 'subscriptions/listen', params });
  const isAcknowledged = () =>
    raw.notifications.slice(known).some(({ method }) => method === 'notifications/subscriptions/acknowledged');
  while (!isAcknowledged()) await new Promise((resolve) => setTimeout(resolve, 5));
}
