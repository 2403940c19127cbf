// A snippet of a page → a whole program: what it continues comes before it, its frame around it. Pure.
import type { DocBlock } from './doc-blocks.ts';
import { isAt } from './doc-plan.ts';
import { frames } from './snippet-frames.ts';

/** The snippets of one page, each as a program of its own. */
export function programsOf(snippets: readonly DocBlock[]): readonly string[] {
  const texts = snippets.map(framed);
  return texts.map((_, index) => mergeImports(withPrelude(texts, index)));
}

function framed(block: DocBlock): string {
  const frame = frames.find((place) => isAt(block, place));
  return frame === undefined ? block.text : `${frame.before}${block.text}${frame.after}`;
}

/** A snippet that uses a name of an earlier one, and declares none that it has, goes on from there. */
function withPrelude(texts: readonly string[], index: number): string {
  const text = texts[index] ?? '';
  const own = [...declaredIn(text), ...importedBy(text)];
  const words = new Set(text.replaceAll(/'[^'\n]*'|\/\/.*/g, '').match(/\w+/g));
  const isContinued = (earlier: string) => {
    const names = declaredIn(earlier);
    const isUsed = (name: string) => words.has(name) && !own.includes(name);
    return !names.some((name) => own.includes(name)) && [...names, ...importedBy(earlier)].some(isUsed);
  };
  const before = texts.slice(0, index).findLastIndex(isContinued);
  return before === -1 ? text : `${withPrelude(texts, before)}\n${text}`;
}

const declaredIn = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:export )?(?:const|let|function|class|async function) (\w+)/gm)].map(([, name = '']) => name);

const importedBy = (text: string): readonly string[] =>
  [...text.matchAll(NAMED_IMPORT)].flatMap(([, , names = '']) =>
    namesIn(names).map((name) => name.replace(/^type /, '')),
  );

const NAMED_IMPORT = /^import (type )?\{([^}]*)\} from '([^']+)';\n/gm;

const namesIn = (list: string): readonly string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** A program may import a name once. */
function mergeImports(text: string): string {
  const byModule = new Map<string, Set<string>>();
  for (const [, type = '', names = '', module = ''] of text.matchAll(NAMED_IMPORT)) {
    const known = byModule.get(module) ?? new Set();
    for (const name of namesIn(names)) known.add(`${type}${name}`);
    byModule.set(module, known);
  }
  const lines = [...byModule].map(([module, names]) => `import { ${[...names].join(', ')} } from '${module}';\n`);
  return `${lines.join('')}${text.replace(NAMED_IMPORT, '')}`;
}
