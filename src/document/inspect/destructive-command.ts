// Rule `destructive-command`: commands that destroy a machine or a home directory. Cleaning up a project is spared.

import { pipelinesOf, wordsOf } from './commands.ts';
import type { FindingSeverity, Hit, Sighting } from './finding.ts';
import { inPassages } from './in-passages.ts';
import { isDiscussed, isWarnedAgainst } from './mention.ts';
import type { Passage } from './source-text.ts';

export const destructiveCommand = inPassages({
  rule: 'destructive-command',
  triggers: [
    'rm ',
    'mkfs',
    'of=/dev/',
    '> /dev/',
    '>/dev/',
    '(){',
    '() {',
    'chmod',
    'chown',
    'remove-item',
    'ri $',
    ':\\',
    '-delete',
    'format c:',
  ],
  kinds: ['prose', 'code', 'comment'],
  check,
});

const fix = 'Remove the command, or name exactly the files that the skill itself made.';

function* check(passage: Passage): Iterable<Sighting> {
  for (const sighting of candidates(passage.text)) {
    yield sighting === 'spared' || isMentioned(passage, sighting.index) ? 'spared' : sighting;
  }
}

function isMentioned(passage: Passage, index: number): boolean {
  return isWarnedAgainst(passage, index) || (passage.kind === 'prose' && isDiscussed(passage, index));
}

function* candidates(text: string): Iterable<Sighting> {
  for (const { pattern, severity, message } of fixedShapes) {
    for (const match of text.matchAll(pattern)) yield { index: match.index, severity, message, fix };
  }
  for (const pipeline of pipelinesOf(text)) {
    for (const stage of pipeline) {
      // "find" is an everyday word; only with -delete is it a command to judge.
      const command = stage.text.search(/\b(?:rm|chmod|chown)\s/);
      const at = command === -1 && stage.text.includes('-delete') ? stage.text.search(/\bfind\s/) : command;
      if (at === -1) continue;
      yield recursiveOnRoot(text, stage.index + at, stage.text.slice(at)) ?? 'spared';
    }
  }
}

interface FixedShape {
  readonly pattern: RegExp;
  readonly severity: FindingSeverity;
  readonly message: string;
}

// `/dev/sdX` is how manuals write "your device": only a real letter names a disk.
const disk = '/dev/(?:sd[a-w]|hd[a-w]|vd[a-w]|xvd[a-w]|nvme\\d|mmcblk\\d|r?disk\\d)';

const fixedShapes: readonly FixedShape[] = [
  {
    pattern: /:\s?\(\)\s?\{\s?:\s?\|\s?:\s?&\s?\}\s?;\s?:/g,
    severity: 'high',
    message: 'A fork bomb brings the machine to a halt.',
  },
  {
    pattern: new RegExp(`\\bdd\\s[^\\n;|]{0,60}?if=/dev/(?:zero|u?random)\\s[^\\n;|]{0,60}?\\bof=${disk}`, 'g'),
    severity: 'high',
    message: 'A command wipes a whole disk.',
  },
  {
    pattern: new RegExp(`>\\s?${disk}\\w{0,8}(?=\\s|$|["'\`;])`, 'g'),
    severity: 'high',
    message: 'A command overwrites a whole disk.',
  },
  {
    // Writing an image to a USB stick is honest, but a wrong letter wipes a disk.
    pattern: new RegExp(`\\bdd\\s(?![^\\n;|]{0,60}?if=/dev/(?:zero|u?random))[^\\n;|]{0,120}?\\bof=${disk}`, 'g'),
    severity: 'medium',
    message: 'A command writes an image over a whole disk.',
  },
  {
    // Formatting a new volume is part of honest server manuals.
    pattern: new RegExp(`\\bmkfs(?:\\.\\w{1,10})?\\s[^\\n;|]{0,80}?${disk}`, 'g'),
    severity: 'medium',
    message: 'A command formats a disk.',
  },
  {
    pattern:
      /\b(?:remove-item|ri)\s[^\n;|]{0,80}?(?:[A-Z]:\\(?=\s|$|["'`*])|\$home\b(?![\\/]\w)|\$env:userprofile\b(?![\\/]\w))|\b(?:del|rd|rmdir)\s\/s\s[^\n;|]{0,30}?[A-Z]:\\(?=\s|$|["'`*])|\bformat c:/gi,
    severity: 'high',
    message: 'A command deletes a drive or a home directory.',
  },
];

const protectedPlace =
  /^(?:\/+\*?|\/\.\*?|~\/?\*?|\$\{?HOME\}?\/?\*?|\/(?:etc|usr|bin|sbin|lib|lib64|boot|home|root|var|opt|dev|sys|proc|Users|System|Library)\/?\*?)$/;

/** `rm -rf /`, `chmod -R 777 ~`, `find / … -delete`: something recursive whose target is the system or the home directory. */
function recursiveOnRoot(text: string, index: number, line: string): Hit | undefined {
  const [command = '', ...args] = wordsOf(line).map((word) => word.replace(/["')\]},.:]+$/, ''));
  if (!targetsOf(command, args).some((target) => protectedPlace.test(target))) return undefined;
  const message =
    command === 'chmod' || command === 'chown'
      ? 'A command changes the permissions of the whole system or home directory.'
      : 'A command deletes the whole system or home directory.';
  // `host = 'localhost; rm -rf /'` shows an injection into a value; a shell that is handed a string says so first.
  return { index, severity: isInString(text, index) ? 'medium' : 'high', message, fix };
}

function isInString(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 120), index);
  return (
    /["'][^"'\n]{1,60};\s?$/.test(before) &&
    !/\s-\w{0,4}c\b|\b(?:ssh|eval|system|exec\w{0,6}|spawn\w{0,6}|popen|run)\b/i.test(before)
  );
}

function targetsOf(command: string, args: readonly string[]): readonly string[] {
  const operands = args.filter((word) => !word.startsWith('-'));
  if (command === 'find') return args.includes('-delete') ? operands.slice(0, 1) : [];
  if (!args.some((word) => /^(?:-\w{0,6}[rR]\w{0,6}|--recursive|--no-preserve-root)$/.test(word))) return [];
  if (command === 'rm') return operands.slice(0, untilProse(operands));
  const isOpen = command === 'chown' || /^(?:0?777|a\+rwx|[ugo]*\+rwx)$/.test(operands[0] ?? '');
  return isOpen ? operands.slice(1, 2) : [];
}

// In a sentence the operands run on into words: `rm -rf build in the folder / and …`.
function untilProse(operands: readonly string[]): number {
  const at = operands.findIndex((word) => /^(?:in|to|and|or|from|on|for|the|is|are|will|if|when)$/.test(word));
  return at === -1 ? operands.length : at;
}
