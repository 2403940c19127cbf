// Names of skills: how they compare, which look alike, and which are refused.

import { INVISIBLE, toOneLine } from '../text/one-line.ts';
import type { Issue } from './issue.ts';

/** The key under which a name is looked up (D5). */
export const normaliseName = (name: string): string => name.trim().toLowerCase();

/** What is written like this is looked up as a URI, never as a name (D5). */
export const isSkillAddress = (text: string): boolean => /^\s*skill:\/\//i.test(text);

/** Code point order; JavaScript's `<` compares UTF-16 units, which puts emoji before U+FF21. */
export const compareCodePoints = (a: string, b: string): number => {
  // Below the surrogates both orders are the same, and the built-in one is ten times as fast.
  if (!FROM_SURROGATES.test(a) && !FROM_SURROGATES.test(b)) return a === b ? 0 : a < b ? -1 : 1;
  const shorter = Math.min(a.length, b.length);
  let index = 0;
  while (index < shorter && a.charCodeAt(index) === b.charCodeAt(index)) index += 1;
  if (index === shorter) return Math.sign(a.length - b.length);
  // Behind an equal high surrogate the difference may be inside one character: compare that whole character first.
  const from = index > 0 && isHighSurrogate(a.charCodeAt(index - 1)) ? index - 1 : index;
  return Math.sign(codePointAt(a, from) - codePointAt(b, from) || codePointAt(a, index) - codePointAt(b, index));
};

/** `key`: the normalised name. */
interface Named {
  readonly key: string;
  readonly uri: string;
}

/** The order of every list of skills: by name, then by URI (T1). */
export const compareNamed = (a: Named, b: Named): number =>
  compareCodePoints(a.key, b.key) || compareCodePoints(a.uri, b.uri);

/** Names with equal skeletons cannot be told apart by eye (D5). For comparing only, never for showing. */
export const lookAlikeSkeleton = (name: string): string => {
  const folded = normaliseName(name);
  if (!NOT_ASCII.test(folded)) return folded;
  const compatible = folded.normalize('NFKC').toLowerCase().replace(IGNORED, '');
  return Array.from(compatible, (character) => LOOK_ALIKES.get(character) ?? character).join('');
};

/** Why a name is refused: hidden characters, or a shape that reads as a path (D3). */
export const nameIssues = (name: string): Issue[] => {
  const issues: Issue[] = [];
  const hidden = HIDDEN.exec(name)?.[0];
  if (hidden !== undefined) issues.push(hiddenCharacter(name, hidden));
  if (name.length > MAX_NAME && Array.from(name).length > MAX_NAME) issues.push(tooLong(name));
  const shape = pathShape(name);
  if (shape !== undefined) issues.push(pathLike(name, shape));
  return issues;
};

/** No list could show it, and no agent would type it. The format itself allows 64. */
const MAX_NAME = 256;

const tooLong = (name: string): Issue => ({
  rule: 'name-too-long',
  severity: 'error',
  message: `Cannot serve "${toOneLine(name, 40)}" by name: the name has more than ${MAX_NAME} characters`,
  fix: 'Use a name of at most 64 characters, for example that of the folder',
});

const FROM_SURROGATES = /[\ud800-\uffff]/;
const NOT_ASCII = /[^\0-\x7f]/;
const IGNORED = new RegExp(`[${INVISIBLE}]`, 'gu');
// No exception for joiners in emoji and variation selectors: two names that look the same must be the same (D3).
const HIDDEN = new RegExp(`[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Surrogate}${INVISIBLE}]`, 'u');

const codePointAt = (text: string, index: number): number => text.codePointAt(index) ?? 0;

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

const hiddenCharacter = (name: string, character: string): Issue => {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return {
    rule: 'name-hidden-character',
    severity: 'error',
    message: `Cannot serve "${toOneLine(name, 80)}" by name: the name has a control or invisible character (U+${code})`,
    fix: 'Retype the name with visible characters only',
  };
};

const pathShape = (name: string): string | undefined => {
  if (name.includes('\\')) return 'has a backslash';
  if (name.startsWith('/')) return 'starts with "/"';
  if (name === '.') return 'is "."';
  // It would pass for the address of another skill.
  if (isSkillAddress(name)) return 'starts with "skill://"';
  if (name.split('/').includes('..')) return 'has a ".." part';
  return undefined;
};

const pathLike = (name: string, shape: string): Issue => ({
  rule: 'name-like-path',
  severity: 'error',
  message: `Cannot serve "${toOneLine(name, 80)}" by name: the name ${shape} and reads as a path`,
  fix: 'Use a name such as the folder\'s own, without "\\", "..", or a leading "/" or "skill://"',
});

// Keys are lower case, because the name is folded first. A letter whose capital alone looks like a Latin one
// (в В, н Н, м М, т Т) stands here too: the name may have been written in capitals.
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  // Cyrillic
  ...pairs('аaвbеeкkмmнhоoрpсcтtуyхxіiјjѕsһhԁdԛqԝwӏlьbгrпnԍgүyґrѵvԏtԟk'),
  // Greek
  ...pairs('αaβbγyεeζzηnιiκkμuνvοoρpσoςcτtυuχxωwϲcϳjϱp'),
  // Latin letters that are drawn like plain ones
  ...pairs('ıiɑaɡgɩiʋvɪiʏyʟlƅbƽsᴄcᴏoᴠvᴡwᴢzꮯcꮃwꜱsȷjɴn'),
]);

function pairs(letters: string): [string, string][] {
  const characters = Array.from(letters);
  return characters.flatMap((from, index): [string, string][] =>
    index % 2 === 0 ? [[from, characters[index + 1] ?? from]] : [],
  );
}
