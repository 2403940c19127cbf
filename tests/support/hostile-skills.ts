// SKILL.md files that attack whoever reads them. Each is to be a problem, unless it says otherwise.

export interface HostileSkill {
  readonly folder: string;
  readonly text: string;
}

/** `marker` is a file that would come into being if any of this were executed. */
export function codeInFrontmatter(marker: string): readonly HostileSkill[] {
  const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'run')`;
  const tagged = (tag: string) => `---\nname: code\ndescription: ${tag} "${code.replaceAll('"', "'")}"\n---\nbody\n`;
  return [
    { folder: 'code-js', text: `---js\n{ name: 'code', description: String(${code}) }\n---\nbody\n` },
    { folder: 'code-javascript', text: `---javascript\nmodule.exports = ${code}\n---\nbody\n` },
    { folder: 'code-coffee', text: `---coffee\n${code}\n---\nbody\n` },
    { folder: 'code-js-tag', text: tagged('!!js/function') },
    { folder: 'code-python-tag', text: tagged('!!python/object/apply:os.system') },
    { folder: 'code-own-tag', text: tagged('!exec') },
  ];
}

export function yamlBombs(): readonly HostileSkill[] {
  const level = (index: number) =>
    `l${index}: &l${index} [${Array.from({ length: 10 }, () => `*l${index - 1}`).join(', ')}]`;
  const laughs = ['l0: &l0 [lol]', ...Array.from({ length: 9 }, (_, index) => level(index + 1))];
  const keys = Array.from({ length: 60_000 }, (_, index) => `k${index}: 1`);
  const flow = `x: ${'['.repeat(15_000)}${']'.repeat(15_000)}`;
  const maps = `x: ${'{a: '.repeat(10_000)}1${'}'.repeat(10_000)}`;
  const blocks = Array.from({ length: 340 }, (_, index) => `${' '.repeat(index)}a:`);
  return [
    bomb('bomb-laughs', laughs),
    bomb('bomb-keys', keys),
    bomb('bomb-flow', [flow]),
    bomb('bomb-maps', [maps]),
    bomb('bomb-blocks', blocks),
    bomb('bomb-large', [`x: ${'y'.repeat(70_000)}`]),
    bomb('bomb-cycle', ['x: &x [*x]']),
    bomb('bomb-twice', ['name: again']),
  ];
}

/** These are odd, but good: the names and keys that break programs which keep them in plain objects. */
export const prototypeNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

function bomb(folder: string, lines: readonly string[]): HostileSkill {
  return { folder, text: `---\nname: ${folder}\ndescription: d\n${lines.join('\n')}\n---\nbody\n` };
}
