// The library's entry for programs that run the built-in skills, `repertoire/builtin`: every public name.
import { createBuiltinOverStore } from './app/builtin-over-store.ts';
import { toFoundSkill } from './app/found-skill.ts';
import { findStoreParts, type Store } from './app/program-store.ts';
import { findBuiltinFault } from './app/serve-faults.ts';
import type { BuiltinName } from './builtin/builtin-names.ts';
import type { Catalog } from './catalog/catalog.ts';
import { createSnapshot } from './catalog/view/snapshot.ts';
import { createUserTokens, isStrongSecret } from './identity/user-tokens.ts';
import { SkillSearch } from './repertoire/skill-search.ts';
import type { UserConfig } from './settings/user-config.ts';
import type { BuiltinSkills } from './skills/run/runtime.ts';
import {
  type FieldRule,
  findOptionProblem,
  isPlainObject,
  listOfTexts,
  refuse,
  textValue,
} from './values/field-rules.ts';

export type { BuiltinName } from './builtin/builtin-names.ts';
export type { BuiltinSkills } from './skills/run/runtime.ts';

/**
 * What the built-in skills work on. Only `store` is needed.
 *
 * @example
 * const options: BuiltinOptions = { store, names: ['user_creation', 'task_creation'] };
 * const own = createRuntime({ skills: [greet], builtin: createBuiltinSkills(options) });
 */
export interface BuiltinOptions {
  /** Of `openStore`: users, tasks and the key of users' tokens are kept there. */
  readonly store: Store;
  /** Those to have; all when absent. */
  readonly names?: readonly BuiltinName[];
  /** Its documents are found by `request_routing` beside the typed skills; plans are made of their steps. */
  readonly catalog?: Catalog;
  /** Signs users' tokens, at least 32 bytes; one that the store keeps when absent. */
  readonly secret?: string;
  /** An OpenAI-compatible endpoint for suggestions and plans, its address with `/v1`; without one they come from the tasks there are. */
  readonly ai?: { readonly baseUrl: string; readonly model: string; readonly key?: string };
  /** Things that `ownership_validation` knows the owners of beside tasks, as in a configuration file. */
  readonly ownership?: UserConfig['ownership'];
}

const anObject = (what: string, fix: string): FieldRule => {
  return (value) => (typeof value === 'object' && value !== null ? undefined : `is not ${what}. ${fix}`);
};

const FIELDS = {
  store: (value) =>
    typeof value === 'object' && value !== null && findStoreParts(value as Store) !== undefined
      ? undefined
      : 'is none that openStore() opened. Write await openStore({ data: "./data" }).',
  names: listOfTexts,
  catalog: anObject('a catalog', 'Write await openCatalog({ … }).'),
  secret: (value) =>
    textValue(value) ??
    (isStrongSecret(String(value)) ? undefined : 'has fewer than 32 bytes. Use 32 or more random ones.'),
  ai: (value) =>
    isPlainObject(value) && textValue(value.baseUrl) === undefined && textValue(value.model) === undefined
      ? undefined
      : 'has no baseUrl or no model. Write { baseUrl: "http://127.0.0.1:11434/v1", model: "…" }.',
  ownership: anObject('an object', 'Write { invoice: (userId, id) => … }.'),
} as const satisfies Record<keyof BuiltinOptions, FieldRule>;

const CANNOT = 'create the built-in skills';

/** For a program without documents. */
const NO_DOCUMENTS = { current: createSnapshot([], []), whole: async () => undefined };

/**
 * The typed skills that come with Repertoire, for `builtin` of `createRuntime`: users, tasks, tokens, suggestions, plans,
 * workflows. It throws one sentence when the options cannot be used. A skill of the program's own takes the place of one of
 * them only if it says `replaces: true`.
 *
 * @example
 * const own = createRuntime({
 *   skills: [greet],
 *   builtin: createBuiltinSkills({ store, names: ['user_creation', 'task_creation'] }),
 *   invocationLog: store.invocations,
 * });
 * console.log(own.skills.map(({ name }) => name));
 * await own.close();
 */
export function createBuiltinSkills(options: BuiltinOptions): BuiltinSkills {
  const { store, names = 'all', catalog = NO_DOCUMENTS, secret, ai, ownership } = checked(options);
  const parts = findStoreParts(store);
  const tokens = parts && createUserTokens({ signingSecret: secret, secrets: parts.secrets, now: () => new Date() });
  // Both were looked at above.
  if (parts === undefined || !tokens?.ok) throw new Error(`Cannot ${CANNOT}`);
  return (runtime) => {
    let search: SkillSearch | undefined;
    return createBuiltinOverStore(names, {
      store: parts,
      tokens: tokens.value,
      ownership,
      planning: {
        ai: ai && { ...ai, key: ai.key },
        findSkills: async (query, limit, caller) => {
          // Made by the first call: the runtime knows all its skills by then.
          search ??= new SkillSearch({ catalog, typed: runtime.skills });
          return (await search.find(query, limit, caller)).map(toFoundSkill);
        },
        isSkill: (name) => runtime.find(name) !== undefined,
      },
    });
  };
}

function checked(options: BuiltinOptions): BuiltinOptions {
  refuse(CANNOT, findOptionProblem('createBuiltinSkills', options, FIELDS, ['store']));
  const fault = findBuiltinFault(options.names);
  refuse(CANNOT, fault && `unknown built-in skill ${fault.problem}`);
  return options;
}
