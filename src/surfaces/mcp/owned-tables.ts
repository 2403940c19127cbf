// Which table answers a request: ours, or one with the texts that the server's owner gives for what is asked (T10).
import { createBoundedMap } from '../../async/bounded-map.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Skill } from '../../catalog/view/skill.ts';
import type { DocumentToolName } from '../../operations/operation.ts';
import type { Repertoire } from '../../repertoire/repertoire.ts';
import { isRecord } from '../../values/is-record.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import { type OwnedTexts, withOwnedTexts } from './owned-catalog.ts';
import { type OwnedContent, type OwnerResources, ourSpelling } from './owner-resources.ts';
import type { MethodTable } from './wire/method.ts';

export interface OwnedTablesOptions {
  readonly catalog: Catalog;
  readonly repertoire: Repertoire;
  /** Of our skills alone. */
  readonly table: MethodTable;
  readonly owner: OwnerResources;
  /** Skills that only the owner has are served, too. */
  readonly servesOwn: boolean;
  /** The tool of ours that has this name on the server. */
  findTool(name: unknown): DocumentToolName | undefined;
  createTable(catalog: Catalog): MethodTable;
}

/** The failure says which resource cannot be read. */
export type FindTable = (
  method: string,
  params: JsonObject,
  sdkContext: unknown,
) => Promise<Result<MethodTable, string>>;

export function createOwnedTables(options: OwnedTablesOptions): FindTable {
  const { owner, table } = options;
  // By what was read for it: a search has an index, which is not made again for a request in between.
  const kept = createBoundedMap<string, { readonly texts: OwnedTexts; readonly table: MethodTable }>({
    most: MOST_KEPT,
  });
  return async (method, params, sdkContext) => {
    if (owner.isEmpty()) return ok(table);
    const { uris, unknown, isNeeded } = await findAsked(method, params, options, sdkContext);
    if (uris.length + unknown.length === 0) return ok(table);
    const texts = new Map<string, OwnedContent | undefined>(unknown.map((uri) => [uri, undefined]));
    const read = await Promise.all(uris.map(async (uri) => [uri, await owner.read(uri, sdkContext)] as const));
    for (const [uri, content] of read) {
      const failure = content.ok ? notText(method, uri, content.value, options) : content.failure;
      if (failure !== undefined && isNeeded) return fail(`Cannot read '${uri}': ${failure}`);
      texts.set(uri, content.ok ? content.value : undefined);
    }
    const key = [...texts.keys()].join('\n');
    const known = kept.get(key);
    if (known !== undefined && areSame(known.texts, texts)) return ok(known.table);
    const made = { texts, table: options.createTable(withOwnedTexts(options.catalog, texts)) };
    kept.set(key, made);
    return ok(made.table);
  };
}

const MOST_KEPT = 8;

/** A SKILL.md is given as text, whoever asks; only the list of a skill's files says of any bytes how many there are. */
const notText = (method: string, uri: string, { text }: OwnedContent, { repertoire }: OwnedTablesOptions) =>
  text === undefined && method !== 'skills/get' && repertoire.loadByUri(uri) ? 'it is not text' : undefined;

/** Of the same addresses. */
function areSame(a: OwnedTexts, b: OwnedTexts): boolean {
  return [...a].every(([uri, content]) => {
    const other = b.get(uri);
    return content === undefined || other === undefined ? content === other : content.bytes.equals(other.bytes);
  });
}

interface Asked {
  /** Of the owner's, in our spelling: what the answer is made of. */
  readonly uris: readonly string[];
  /** The owner's, too, but not to be read. */
  readonly unknown: readonly string[];
  /** Without them there is no answer. */
  readonly isNeeded: boolean;
}

const NOTHING: Asked = { uris: [], unknown: [], isNeeded: false };

function findAsked(
  method: string,
  params: JsonObject,
  options: OwnedTablesOptions,
  sdkContext: unknown,
): Asked | Promise<Asked> {
  const { repertoire } = options;
  if (method === 'skills/list') return listedFiles(options);
  if (method === 'skills/get') {
    const skill = typeof params.uri === 'string' ? repertoire.loadByUri(params.uri) : undefined;
    return skill ? needed(filesOf(skill, repertoire), options) : NOTHING;
  }
  if (method === 'prompts/get') {
    const skill = typeof params.name === 'string' ? repertoire.loadByName(params.name) : undefined;
    return needed(skill ? [skill.uri] : [], options);
  }
  const tool = method === 'tools/call' ? options.findTool(params.name) : undefined;
  if (tool === undefined) return NOTHING;
  const uri = findAskedFile(tool, isRecord(params.arguments) ? params.arguments : {}, options.repertoire);
  return uri === undefined ? ownSkills(options, sdkContext) : needed([uri], options);
}

const findAskedFile = (tool: DocumentToolName, input: JsonObject, repertoire: Repertoire): string | undefined =>
  tool === 'list_skills' || tool === 'search_skills' ? undefined : FIND_FILE[tool](input, repertoire);

/** The address of what these tools are asked for; `undefined` where we do not have it. */
const FIND_FILE = {
  skill: ({ name }, repertoire) => (typeof name === 'string' ? repertoire.loadByName(name)?.uri : undefined),
  get_skill: ({ uri, skill_name: folder }, repertoire) => {
    if (typeof uri === 'string') return repertoire.loadByUri(uri)?.uri;
    const answer = typeof folder === 'string' ? repertoire.snapshot.findFolder(folder) : undefined;
    return answer && 'skill' in answer ? answer.skill?.uri : undefined;
  },
  read_skill_file: ({ uri, skill, path }, repertoire) => {
    const named = typeof skill === 'string' ? repertoire.loadByName(skill) : undefined;
    if (named && typeof path === 'string') return repertoire.findManifestFile({ skill: named, path })?.uri;
    return typeof uri === 'string' && repertoire.findFile(uri) ? ourSpelling(uri) : undefined;
  },
} satisfies Record<
  Exclude<DocumentToolName, 'list_skills' | 'search_skills'>,
  (input: JsonObject, repertoire: Repertoire) => string | undefined
>;

const needed = (uris: readonly string[], { owner }: OwnedTablesOptions): Asked => ({
  uris: uris.filter((uri) => owner.findResource(uri) !== undefined || owner.matchesTemplate(uri)),
  unknown: [],
  isNeeded: true,
});

/** So that a server with thousands of resources is not read as a whole for one list. */
const MOST_OWN_SKILLS = 100;

/** The owner's skills that the catalog does not have. */
async function ownSkills({ owner, repertoire, servesOwn }: OwnedTablesOptions, sdkContext: unknown): Promise<Asked> {
  if (!servesOwn) return NOTHING;
  const own = (await owner.listSkills(sdkContext)).filter((uri) => repertoire.loadByUri(uri) === undefined);
  return { ...NOTHING, uris: own.slice(0, MOST_OWN_SKILLS) };
}

/** Files of our skills that are resources of the owner. */
function listedFiles({ owner, repertoire }: OwnedTablesOptions): Asked {
  const own = [...owner.spellings().keys()].filter((uri) => repertoire.loadByUri(uri) ?? repertoire.findFile(uri));
  return { ...NOTHING, uris: own, unknown: owner.hasTemplates() ? matchedSkills(owner, repertoire) : [] };
}

/** What a template answers for is not read for a list: it could be every file of every skill. */
const matchedSkills = (owner: OwnerResources, repertoire: Repertoire): readonly string[] =>
  repertoire.snapshot.skills
    .filter((skill) => skill.listable && filesOf(skill, repertoire).some(owner.matchesTemplate))
    .map(({ uri }) => uri);

const filesOf = (skill: Skill, repertoire: Repertoire): readonly string[] =>
  repertoire.manifestOf(skill).files.map(({ uri }) => uri);
