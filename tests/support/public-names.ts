// Every name that the package exports, read from its declarations as an editor reads them: what it is, and what is said of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PublicName {
  /** As one imports it: `repertoire/skills`. */
  readonly entry: string;
  /** As one writes it; the definition may have another. */
  readonly name: string;
  readonly definition: Definition;
}

export interface Definition {
  readonly file: string;
  readonly name: string;
  /** The doc comment without its stars. */
  readonly comment: string;
  /** The declaration itself, without comments. */
  readonly text: string;
}

/** Of every entry in `exports`, in its order. */
export function findPublicNames(folder: string): readonly PublicName[] {
  const { name: own, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries<{ types?: string }>(exports).flatMap(([path, { types }]) => {
    if (types === undefined) return [];
    const file = join(folder, types);
    const entry = join(own, path);
    return [...exportsOf(file)].map(([name]) => ({ entry, name, definition: getDefinition(file, name) }));
  });
}

/** The definitions that this one mentions: others of the package, also those that its file keeps to itself. */
export function findMentioned({ file, text }: Definition): readonly Definition[] {
  const known = [...declarationsOf(file).keys(), ...importsOf(file).keys()];
  // `RootPlace['state']` is no name that anybody needs: the field that has this type gives it.
  const mentioned = known.filter((name) =>
    new RegExp(`(?<![.\\w$'])${escapeDollar(name)}(?![\\w$']|\\[[^\\]])`).test(text),
  );
  return mentioned.map((name) => getDefinition(file, name));
}

export const isExported = ({ file, name }: Definition): boolean => exportsOf(file).has(name);

/** Where a name of this file comes from, and what it is called there. */
interface Origin {
  readonly file: string;
  readonly name: string;
}

const DECLARATION = /^(export )?(?:declare )?(?:interface|type|const|function|class) (\w+)/gm;

function getDefinition(file: string, name: string): Definition {
  const origin = exportsOf(file).get(name) ?? importsOf(file).get(name) ?? { file, name };
  if (origin.file !== file) return getDefinition(origin.file, origin.name);
  const declared = declarationsOf(file).get(origin.name);
  if (declared === undefined) throw new Error(`${file} declares no ${origin.name}`);
  return declared;
}

const declarationsOf = keep((file: string): ReadonlyMap<string, Definition> => {
  const text = read(file);
  const found = [...text.matchAll(DECLARATION)];
  return new Map(
    found.map(({ index, 2: name = '' }, position) => {
      const end = found[position + 1]?.index ?? text.length;
      return [name, { file, name, comment: commentBefore(text, index), text: withoutComments(text.slice(index, end)) }];
    }),
  );
});

const exportsOf = keep((file: string): ReadonlyMap<string, Origin> => {
  const own = [...read(file).matchAll(DECLARATION)].filter(([, exported]) => exported !== undefined);
  return new Map<string, Origin>([
    ...own.map(({ 2: name = '' }) => [name, { file, name }] as const),
    ...listed(file, /^export (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm),
  ]);
});

const importsOf = keep(
  (file: string): ReadonlyMap<string, Origin> =>
    new Map(listed(file, /^import (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)),
);

function listed(file: string, statement: RegExp): readonly (readonly [string, Origin])[] {
  return [...read(file).matchAll(statement)].flatMap(([, names = '', from = '']) => {
    const source = join(file, '..', from.replace(/\.[jt]s$/, '.d.ts'));
    const parts = names.split(',').map((part) => part.trim().replace(/^type /, ''));
    return parts.filter(Boolean).map((part) => {
      const [name = '', alias = name] = part.split(' as ');
      return [alias, { file: source, name }] as const;
    });
  });
}

function commentBefore(text: string, index: number): string {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(text.slice(0, index))?.[1] ?? '';
  return comment.replace(/^ *\* ?/gm, '').trim();
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '');

const read = keep((file: string) => readFileSync(file, 'utf8'));

const escapeDollar = (name: string): string => name.replaceAll('$', '\\$');

/** The files do not change while a test runs. */
function keep<T>(look: (file: string) => T): (file: string) => T {
  const kept = new Map<string, T>();
  return (file) => {
    const known = kept.get(file) ?? look(file);
    kept.set(file, known);
    return known;
  };
}
