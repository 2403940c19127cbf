// The Agent Skills rules and what single hosts refuse, one named check each. A skill that breaks a rule stays out of skills/list.

import { toOneLine } from '../text/one-line.ts';
import { isRecord } from '../values/is-record.ts';
import type { Issue } from './issue.ts';
import type { SkillDocument } from './skill-document.ts';

/** Warnings, in the order of the rules. `folderName` is the last folder of the skill's path. */
export const validateDocument = (document: SkillDocument, folderName: string): Issue[] => {
  const issues: Issue[] = [];
  // A plain loop: this runs for every skill before the first answer.
  for (const { rule, check, fix } of RULES) {
    const fault = check(document, folderName);
    if (fault === undefined) continue;
    const message = `Cannot serve "${toOneLine(document.name, 80)}" to every host: ${fault}`;
    issues.push({ rule, severity: 'warning', message, fix: typeof fix === 'string' ? fix : fix(document, folderName) });
  }
  return issues;
};

export interface SkillFacts {
  /** Bytes of the SKILL.md alone. */
  readonly skillBytes: number;
  /** Every file of the skill, its SKILL.md included. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Advice: what one host or another refuses although it obeys the rules. Doubtful cases are left out. */
export const adviseDocument = (document: SkillDocument, facts: SkillFacts): Issue[] =>
  LINTS.flatMap(({ rule, host, check, fix }): Issue[] => {
    const fault = check(document, facts);
    const message = `Cannot use "${toOneLine(document.name, 80)}" with ${host}: ${fault}`;
    return fault === undefined ? [] : [{ rule, severity: 'advice', message, fix }];
  });

interface Rule {
  readonly rule: string;
  /** What is the case, when the rule is broken. */
  readonly check: (document: SkillDocument, folderName: string) => string | undefined;
  readonly fix: string | ((document: SkillDocument, folderName: string) => string);
}

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
const MAX_COMPATIBILITY = 500;

const RULES: readonly Rule[] = [
  {
    rule: 'name-length',
    check: ({ name }) => tooLong('the name', name, MAX_NAME),
    fix: `Use a name of at most ${MAX_NAME} characters`,
  },
  {
    rule: 'name-characters',
    check: ({ name, frontmatter }) => {
      if (!/^[a-z0-9-]*$/.test(name)) return 'the name has other characters than a-z, 0-9 and hyphens';
      return typeof frontmatter.name === 'string' && frontmatter.name !== name
        ? 'the name has blanks around it'
        : undefined;
    },
    fix: 'Use lower-case letters a-z, digits and hyphens only, for example `name: my-skill`',
  },
  {
    rule: 'name-hyphens',
    check: ({ name }) =>
      /^-|--|-$/.test(name) ? 'the name has a hyphen at its start or end, or two in a row' : undefined,
    fix: 'Put single hyphens between words only',
  },
  {
    rule: 'name-folder-mismatch',
    check: ({ name }, folderName) =>
      name === folderName ? undefined : `the name is not that of its folder "${toOneLine(folderName, 80)}"`,
    fix: ({ name }, folderName) => sameNameFix(name, folderName),
  },
  {
    rule: 'description-too-long',
    check: ({ description, frontmatter }) =>
      tooLong('the description', textOr(frontmatter.description, description), MAX_DESCRIPTION),
    fix: `Shorten it to 1,024 characters, and move details below the frontmatter`,
  },
  {
    rule: 'compatibility-invalid',
    check: ({ frontmatter: { compatibility } }) => {
      if (compatibility === undefined) return undefined;
      if (typeof compatibility !== 'string') return '"compatibility" is not a text';
      return compatibility.trim() === ''
        ? '"compatibility" is empty'
        : tooLong('"compatibility"', compatibility, MAX_COMPATIBILITY);
    },
    fix: `Write a text of 1 to ${MAX_COMPATIBILITY} characters, or remove the field`,
  },
  {
    rule: 'metadata-invalid',
    check: ({ frontmatter: { metadata } }) => {
      if (metadata === undefined) return undefined;
      if (!isRecord(metadata)) return '"metadata" is not a map';
      const others = Object.keys(metadata).filter((key) => typeof metadata[key] !== 'string');
      return others.length > 0 ? `"metadata" has values that are not texts: ${quoteAll(others)}` : undefined;
    },
    fix: 'Write indented `key: value` lines below `metadata:`, with numbers, dates and truth values in quotes: `version: "1.0"`',
  },
  {
    rule: 'allowed-tools-invalid',
    check: ({ frontmatter }) => notText(frontmatter, 'allowed-tools'),
    fix: 'Write the tools on one line with blanks between them, for example `allowed-tools: Read Grep`',
  },
  {
    rule: 'license-invalid',
    check: ({ frontmatter }) => notText(frontmatter, 'license'),
    fix: 'Write the license as a text, for example `license: MIT`, or remove the field',
  },
  {
    rule: 'field-name-reserved',
    // Readers in JavaScript lose such a field, so what they compare with the file never matches.
    check: ({ frontmatter }) => (hasReservedKey(frontmatter) ? 'a field is called "__proto__"' : undefined),
    fix: 'Give the field another name, or remove it',
  },
  {
    rule: 'frontmatter-not-unicode',
    // Half a character cannot be written as UTF-8: strict readers of JSON refuse the whole list for it.
    check: ({ frontmatter }) => (hasHalfCharacter(frontmatter) ? 'an escape stands for half a character' : undefined),
    fix: 'Write the character itself, or both halves of it',
  },
];

/** Only ways that lead to a name which the other rules take. */
const sameNameFix = (name: string, folderName: string): string => {
  const rename = `Rename the folder to "${toOneLine(name, 80)}"`;
  const rewrite = `rite \`name: ${toOneLine(folderName, 80)}\``;
  if (isValidName(name)) return isValidName(folderName) ? `${rename}, or w${rewrite}` : rename;
  if (isValidName(folderName)) return `W${rewrite}`;
  return 'Give both the same name, of lower-case letters a-z, digits and single hyphens between words';
};

/** As the Agent Skills rules spell names. */
export const isValidName = (name: string): boolean =>
  name.length <= MAX_NAME && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);

/** What an entry of an index of skills takes: an archive has no folder whose name the skill's would have to be (PROTOCOL 4). */
export const fitsIndex = ({ name, description }: Pick<SkillDocument, 'name' | 'description'>): boolean =>
  isValidName(name) &&
  tooLong('the description', description, MAX_DESCRIPTION) === undefined &&
  !hasHalfCharacter(description);

// Almost no text has surrogates at all: a quick look spares every start the costly pattern.
const hasHalfCharacter = (value: unknown): boolean => {
  if (typeof value === 'string') return /[\ud800-\udfff]/.test(value) && /\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return false;
  for (const key in value) {
    if (hasHalfCharacter(key) || hasHalfCharacter((value as Record<string, unknown>)[key])) return true;
  }
  return false;
};

// Hosts measure what the frontmatter says, blanks at its ends included.
const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

/** Characters are code points, as in the reference validator. */
const tooLong = (what: string, text: string, max: number): string | undefined => {
  const count = text.length > max ? Array.from(text).length : 0;
  return count > max ? `${what} has ${count} characters, and at most ${max} are allowed` : undefined;
};

/** At any depth; the reader of the frontmatter bounds it. */
const hasReservedKey = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasReservedKey);
};

const notText = (frontmatter: SkillDocument['frontmatter'], key: string): string | undefined =>
  frontmatter[key] === undefined || typeof frontmatter[key] === 'string' ? undefined : `"${key}" is not a text`;

interface Lint {
  readonly rule: string;
  /** Who refuses it. */
  readonly host: string;
  readonly check: (document: SkillDocument, facts: SkillFacts) => string | undefined;
  readonly fix: string;
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'allowed-tools',
  'metadata',
  'compatibility',
]);
const KIB = 1024;
const CHATGPT = "ChatGPT's import";
const MAX_CHATGPT = { files: 100, skillMd: 256 * KIB, file: 1024 * KIB, skill: 5 * 1024 * KIB };

const LINTS: readonly Lint[] = [
  {
    rule: 'unknown-field',
    host: 'the reference validator skills-ref',
    check: ({ frontmatter }) => {
      const unknown = Object.keys(frontmatter).filter((key) => !KNOWN_FIELDS.has(key));
      return unknown.length > 0 ? `it does not know ${quoteAll(unknown)}` : undefined;
    },
    fix: 'Move such fields below `metadata:`, unless one of your hosts reads them',
  },
  {
    rule: 'xml-tags',
    host: "Claude's API",
    check: ({ name, description }) =>
      XML_TAG.test(`${name}\n${description}`) ? 'name or description has an XML-like tag' : undefined,
    fix: 'Write it without angle brackets',
  },
  {
    rule: 'chatgpt-files',
    host: CHATGPT,
    check: (_document, { files }) => above(files.length, MAX_CHATGPT.files, 'files', 'it has'),
    fix: 'Remove files that the skill does not need',
  },
  {
    rule: 'chatgpt-skill-md-size',
    host: CHATGPT,
    check: (_document, { skillBytes }) => above(skillBytes, MAX_CHATGPT.skillMd, 'bytes', 'its SKILL.md has'),
    fix: 'Move parts of the SKILL.md into files beside it',
  },
  {
    rule: 'chatgpt-file-size',
    host: CHATGPT,
    check: (_document, { files }) => {
      const largest = files.reduce((a, b) => (b.size > a.size ? b : a), { path: '', size: 0 });
      return above(largest.size, MAX_CHATGPT.file, 'bytes', `its file "${toOneLine(largest.path, 120)}" has`);
    },
    fix: 'Shrink or split the file',
  },
  {
    rule: 'chatgpt-skill-size',
    host: CHATGPT,
    check: (_document, { files }) =>
      above(
        files.reduce((sum, { size }) => sum + size, 0),
        MAX_CHATGPT.skill,
        'bytes',
        'its files together have',
      ),
    fix: 'Remove or shrink large files',
  },
];

// `a < b` and `->` are no tags.
const XML_TAG = /<[/!?]?[A-Za-z][^<>]*>/;

const above = (count: number, max: number, unit: string, what: string): string | undefined =>
  count > max ? `${what} ${count} ${unit}, and at most ${max} are taken` : undefined;

const quoteAll = (keys: readonly string[]): string =>
  toOneLine(keys.map((key) => `"${toOneLine(key, 60)}"`).join(', '), 200);
