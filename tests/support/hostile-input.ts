// Strings that try to become a path, break a parser or carry something out. The same list for every tool.

/** A few hundred of them; `target` is a file outside every skill, `root` a folder that is scanned. */
export function hostileStrings(root: string, target: string): readonly string[] {
  return [...new Set([...traversals(target), ...absolutePaths(root, target), ...brokenText(), ...otherLanguages()])];
}

/** The same as skill:// addresses and near misses of them. */
export function hostileUris(root: string, target: string): readonly string[] {
  const schemes = [
    'skill://',
    'skill:///',
    'skill:',
    'SKILL://',
    'file://',
    'skill://kit/',
    'skill://kit/../',
    'skill://kit%2f',
  ];
  const strings = hostileStrings(root, target);
  return strings.flatMap((text, index) => {
    const scheme = schemes[index % schemes.length] ?? 'skill://';
    return [`skill://${text}`, `skill://kit/${text}`, `${scheme}${text}/SKILL.md`];
  });
}

function traversals(target: string): readonly string[] {
  const dots = [
    '..',
    '.',
    '...',
    '%2e%2e',
    '%252e%252e',
    '%c0%ae%c0%ae',
    '\u2025',
    '\uff0e\uff0e',
    '..;',
    '..\u0000',
    '. .',
  ];
  const slashes = ['/', '\\', '//', '%2f', '%5c', '%252f', '%c0%af', '\u2215', '\uff0f', '\u29f5'];
  const ends = ['etc/passwd', 'outside.txt', 'SKILL.md', ''];
  const climbing = dots.flatMap((dot) =>
    slashes.map((slash, index) => dot + slash + dot + slash + (ends[index % ends.length] ?? '')),
  );
  const buried = dots.map((dot) => `kit/${dot}/${dot}/outside.txt`);
  return [...climbing, ...buried, `${'../'.repeat(40)}${target.slice(1)}`];
}

function absolutePaths(root: string, target: string): readonly string[] {
  const system = [
    '/',
    '/etc/passwd',
    '/proc/self/environ',
    '/dev/zero',
    'C:\\Windows\\win.ini',
    '\\\\host\\share',
    '~',
    '~/.ssh',
  ];
  return [
    ...system,
    target,
    root,
    `${root}/kit`,
    `${root}/kit/SKILL.md`,
    `${root}-evil`,
    `file://${target}`,
    'kit-evil',
    'ki',
  ];
}

function brokenText(): readonly string[] {
  const marks = [
    '\u0000',
    'kit\u0000',
    '\u0000kit',
    'kit\u0000.txt',
    '\ud800',
    '\udc00',
    'kit\ud800',
    '\ud800\ud800',
    '\ufffe',
  ];
  const controls = [
    '\n',
    '\r\n',
    '\t',
    '\u001b[2J',
    '\u202e',
    '\u200b',
    '\ufeff',
    '\u{e0041}',
    '%',
    '%%',
    '%0',
    '%zz',
    '%ff',
  ];
  const long = ['a', '/', '../', '%', '\u0000', '\u{1f600}'].map((unit) => unit.repeat(20_000));
  return ['', ' ', ...marks, ...controls, ...long];
}

function otherLanguages(): readonly string[] {
  const names = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'undefined',
    'null',
    'NaN',
  ];
  // Written apart so that it is the server, not this file, that would expand it.
  const dollar = '$';
  const code = [
    "'; DROP TABLE skills; --",
    `${dollar}{process.env.HOME}`,
    `${dollar}(id)`,
    '`id`',
    '{{7*7}}',
    '<script>alert(1)</script>',
  ];
  return [
    ...names,
    ...code,
    '%s%n%x',
    '*',
    '**/*',
    '[a-z]',
    '?',
    '#',
    'kit#x',
    'kit?x',
    'CON',
    'nul.txt',
    'kit:stream',
    '{}',
    '[]',
  ];
}
