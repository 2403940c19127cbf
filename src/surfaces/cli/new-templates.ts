// The texts that `repertoire new` writes, and the names that it suggests. Pure.

const LONGEST_NAME = 64;

/** As the rules spell names: `My Skill!` is `my-skill`; `undefined` where nothing is left. */
export const suggestName = (given: string): string | undefined => wordsIn(given, '-');

/** `My Skill` is `my_skill`; a digit is no beginning. */
export const suggestTypedName = (given: string): string | undefined => wordsIn(given.replace(/^[^a-z]+/i, ''), '_');

function wordsIn(given: string, between: string): string | undefined {
  const plain = given.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== '');
  const name = words.join(between).slice(0, LONGEST_NAME);
  return name.replace(/[-_]$/, '') || undefined;
}

/** A name as a title: `release-notes` is `Release notes`. */
function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const documentTemplate = (name: string): string => `---
name: ${name}
description: Say in one sentence what this skill does. Use when someone asks for it in words like these.
---

# ${titleOf(name)}

Say what the result should look like, and who it is for.

## Steps

1. Say what to do first, and where to look for what is needed.
2. Say what comes next, one step at a time, with the exact commands.
3. Say how to check that the result is right.

## If something is missing

Say what to ask for, and when to stop.
`;

/** Without an import, so that it runs wherever it lies. */
export const typedTemplate = (
  name: string,
): string => `// Typed skills: functions that agents call as tools. Every call is checked, timed and logged.

const ${camelCase(name)} = {
  name: '${name}',
  description: 'Greets a person. Say here what it does and when to use it: agents choose by this sentence.',
  category: 'execution',
  input: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, maxLength: 80, description: 'Who is greeted' } },
    required: ['name'],
  },
  output: {
    type: 'object',
    properties: { greeting: { type: 'string' } },
    required: ['greeting'],
  },
  timeoutSeconds: 10,
  async run({ name }) {
    return { greeting: \`Hello, \${name}!\` };
  },
};

/** @type {import('repertoire').UserConfig} */
export default { skills: [${camelCase(name)}] };
`;

/** Never a word of the language: of those, none has a capital. */
const camelCase = (name: string): string =>
  `${name.replace(/_+([a-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())}Skill`;
