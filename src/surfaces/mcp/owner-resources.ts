// The skill:// resources that belong to a server's owner: which addresses are theirs, and what reading them gives.
import { canonicalSkillUri } from '../../document/skill-uri.ts';
import { isRecord } from '../../values/is-record.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { type Handler, OUR_CURSOR, type SdkServer } from './sdk-server.ts';

export interface OwnerResources {
  /** They have nothing at skill://: asked for every call. */
  isEmpty(): boolean;
  /** By our spelling of their addresses: theirs. */
  spellings(): ReadonlyMap<string, string>;
  /** Their spelling of this address; `undefined` when no resource of theirs has it. */
  findResource(uri: string): string | undefined;
  hasTemplates(): boolean;
  /** A template of theirs answers for this address, or refuses it: only reading tells. */
  matchesTemplate(uri: string): boolean;
  /** Addresses of SKILL.md files that the server lists, before ours; in our spelling. */
  listSkills(sdkContext: unknown): Promise<readonly string[]>;
  /** As a client reads it. The failure is half a sentence, and has nothing of the owner's own error. */
  read(uri: string, sdkContext: unknown): Promise<Result<OwnedContent, string>>;
}

export interface OwnedContent {
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly bytes: Buffer;
  /** Absent where they are no text. */
  readonly text: string | undefined;
  /** As it was registered. */
  readonly description: string | undefined;
}

/** Others cannot match; asking them about every skill would cost a server that is made per request a millisecond. */
export const MAY_BE_SKILL = /^(?:skill:|\{)/i;

export function createOwnerResources(server: SdkServer): OwnerResources {
  const { fields, mcp } = server;
  const templates = () =>
    Object.values(fields._registeredResourceTemplates)
      .filter(({ resourceTemplate }) => resourceTemplate !== server.skillTemplate)
      .map(({ resourceTemplate }) => resourceTemplate.uriTemplate)
      .filter((uriTemplate) => MAY_BE_SKILL.test(uriTemplate.toString()));
  const spellings = () => {
    const known = Object.keys(fields._registeredResources).filter((uri) => /^skill:/i.test(uri));
    return new Map(known.map((uri) => [ourSpelling(uri), uri]));
  };
  const findResource = (uri: string) =>
    Object.hasOwn(fields._registeredResources, uri) ? uri : spellings().get(ourSpelling(uri));
  return {
    isEmpty: () => {
      for (const uri in fields._registeredResources) if (MAY_BE_SKILL.test(uri)) return false;
      for (const { resourceTemplate } of Object.values(fields._registeredResourceTemplates)) {
        if (resourceTemplate !== server.skillTemplate && MAY_BE_SKILL.test(resourceTemplate.uriTemplate.toString()))
          return false;
      }
      return true;
    },
    spellings,
    findResource,
    hasTemplates: () => templates().length > 0,
    matchesTemplate: (uri) => templates().some((uriTemplate) => uriTemplate.match(uri) !== null),
    listSkills: async (sdkContext) => {
      try {
        const listed = await listTheirs(fields.server._requestHandlers.get('resources/list'), sdkContext);
        return [...new Set([...spellings().keys(), ...listed])].filter((uri) => /\/SKILL\.md$/.test(uri));
      } catch (error) {
        mcp.server.onerror?.(error instanceof Error ? error : new Error(String(error)));
        return [];
      }
    },
    read: async (uri, sdkContext) => {
      // The handler as it is now: the owner may have put another one around it.
      const read = fields.server._requestHandlers.get('resources/read');
      const params = { uri: findResource(uri) ?? uri };
      try {
        const result = (await read?.({ method: 'resources/read', params }, sdkContext)) ?? {};
        return contentOf(result, uri, fields._registeredResources[params.uri]);
      } catch (error) {
        // Its words are for the owner of the server, not for the client (T9).
        mcp.server.onerror?.(error instanceof Error ? error : new Error(String(error)));
        return fail('the server cannot read this resource of its own');
      }
    },
  };
}

/** So that a list without end does not keep us. */
const MOST_PAGES = 20;

async function listTheirs(list: Handler | undefined, sdkContext: unknown): Promise<readonly string[]> {
  const uris: string[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES && list !== undefined; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { resources, nextCursor } = await list({ method: 'resources/list', params }, sdkContext);
    for (const entry of Array.isArray(resources) ? resources : []) {
      if (isRecord(entry) && typeof entry.uri === 'string' && /^skill:/i.test(entry.uri))
        uris.push(ourSpelling(entry.uri));
    }
    cursor = nextCursor;
    // Ours come last.
    if (typeof cursor !== 'string' || cursor.startsWith(OUR_CURSOR)) break;
  }
  return uris;
}

/** The address as it came, where it is none of ours. */
export function ourSpelling(uri: string): string {
  const canonical = canonicalSkillUri(uri);
  return canonical.ok ? canonical.value : uri;
}

function contentOf(result: JsonObject, uri: string, registered: unknown): Result<OwnedContent, string> {
  const items = Array.isArray(result.contents) ? result.contents.filter(isRecord) : [];
  const same = items.find((item) => typeof item.uri === 'string' && ourSpelling(item.uri) === ourSpelling(uri));
  const { uri: named, mimeType, text, blob } = same ?? items[0] ?? {};
  const { description } = Object(Object(registered).metadata);
  const about = {
    uri: typeof named === 'string' ? named : uri,
    mimeType: typeof mimeType === 'string' ? mimeType : undefined,
    description: typeof description === 'string' ? description : undefined,
  };
  if (typeof text === 'string') {
    return text.trim() === '' ? fail('it is empty') : ok({ ...about, bytes: Buffer.from(text), text });
  }
  return typeof blob === 'string'
    ? ok({ ...about, bytes: Buffer.from(blob, 'base64'), text: undefined })
    : fail('reading it gives no text');
}
