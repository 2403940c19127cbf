// Words, sentences and Markdown out of a seed. ASCII only: a character is a byte.
import { type Random, wholeNumber } from './random.ts';

const vocabulary = (
  'api audit batch branch build cache chart client cluster column commit config context cursor data debug deploy design ' +
  'diff draft email error event export feature field file filter flow form format graph header hook image import index ' +
  'input issue label layout ledger library link list log manifest merge message metric migration module note order ' +
  'outline package page parser patch plan policy query queue record release report request review route schema search ' +
  'session sheet signal slide state stream style summary table task template test theme token trace update vector view'
).split(' ');

export const words = (random: Random, count: number): string =>
  Array.from({ length: count }, () => vocabulary[wholeNumber(random, vocabulary.length)]).join(' ');

/** 150 to 350 characters, as descriptions of skills have; no colon, so that it is YAML as it stands. */
export function sentence(random: Random): string {
  const cases = words(random, 6 + wholeNumber(random, 24));
  return `Turns ${words(random, 2)} into ${words(random, 2)}. Use when the user wants to ${words(random, 3)}, or mentions ${cases}.`;
}

/** Headings, paragraphs, lists and code of exactly `bytes` bytes, ending in a new line. */
export function markdown(random: Random, bytes: number): string {
  let text = '';
  while (text.length < bytes) text += `${block(random)}\n\n`;
  return `${text.slice(0, Math.max(0, bytes - 1))}\n`;
}

function block(random: Random): string {
  const kind = random();
  if (kind < 0.2) return `## ${words(random, 3)}`;
  if (kind < 0.4)
    return `- **${words(random, 1)}**, ${words(random, 9)}\n- **${words(random, 1)}**, ${words(random, 7)}`;
  if (kind < 0.5) return `\`\`\`bash\n${words(random, 1)} --${words(random, 1)} "./${words(random, 1)}.json"\n\`\`\``;
  return `${words(random, 40 + wholeNumber(random, 40))}.`;
}
