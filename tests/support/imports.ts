// The import statements of a source text. A reader of text, not of syntax: TypeScript 7 has no parser to call.

export interface Import {
  /** As written: `./page.ts`, `node:fs`, `yaml`. */
  readonly from: string;
  /** Nothing of it is left at run time. */
  readonly typeOnly: boolean;
}

export function importsOf(source: string): readonly Import[] {
  const text = withoutComments(source);
  const statements = text.matchAll(/^\s*(?:import|export)\b(?<clause>[^;'"]*?)\bfrom\s*['"](?<from>[^'"]+)['"]/gm);
  const bare = text.matchAll(/^\s*import\s*['"](?<from>[^'"]+)['"]/gm);
  const dynamic = text.matchAll(/\bimport\s*\(\s*['"](?<from>[^'"]+)['"]/g);
  return [
    ...[...statements].map(({ groups }) => ({ from: groups?.from ?? '', typeOnly: isTypeOnly(groups?.clause ?? '') })),
    ...[...bare, ...dynamic].map(({ groups }) => ({ from: groups?.from ?? '', typeOnly: false })),
  ];
}

export function withoutComments(source: string): string {
  // A `//` inside quotes belongs to a string: addresses are full of them.
  return source.replace(
    /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (_all, text) => text ?? '',
  );
}

function isTypeOnly(clause: string): boolean {
  if (/^\s*type\b/.test(clause)) return true;
  const names = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1];
  if (names === undefined) return false;
  return names.split(',').every((name) => name.trim() === '' || /^\s*type\s/.test(name));
}
