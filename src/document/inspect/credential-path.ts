// Rule `credential-path`: a command or an order that reads or sends a store of credentials. Naming, making or protecting one is spared.
import type { Sighting } from './finding.ts';
import { inPassages } from './in-passages.ts';
import { codeSpansOf, isDiscussed, isWarnedAgainst, isWithin, quotationsOf, type Ranges } from './mention.ts';
import type { Passage } from './source-text.ts';

export const credentialPath = inPassages({
  rule: 'credential-path',
  triggers: [
    '.ssh/',
    '.aws/',
    'netrc',
    '/etc/shadow',
    '.git-credentials',
    '.gnupg',
    'gcloud',
    'login data',
    'cookies',
    'logins.json',
    'key4.db',
    'keychain',
    'find-generic-password',
    'find-internet-password',
    '.env',
    '.kube/config',
    '.npmrc',
    '.pypirc',
    '.docker/config',
    '_history',
    '.credentials.json',
    'codex/auth.json',
  ],
  kinds: ['prose', 'code', 'comment'],
  check,
});

/** Reading these is remarkable in itself: nothing but secrets is in them. */
const secretStore =
  /\.ssh\/(?:id_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)|id_\*|\*)|\.aws\/credentials\b|(?<![\w-])[._]netrc\b|\/etc\/shadow\b|\.git-credentials\b|\.gnupg\/(?:private-keys|secring)|gcloud\/(?:application_default_credentials|credentials\.db|legacy_credentials)|\b(?:Google\/Chrome|Chromium|google-chrome|BraveSoftware)\b[^\n"'`]{0,60}?(?:Login Data|Cookies)\b|\b(?:logins\.json|key4\.db|cookies\.sqlite)\b|Library\/Keychains|\.claude\/\.credentials\.json|\.codex\/auth\.json/g;
/** Honest work reads these all day; only sending them away counts. */
const settingsStore =
  /(?<![\w.])\.env(?:\.(?:local|production|prod))?(?![\w.-])|\.kube\/config\b|(?<![\w])\.npmrc\b|\.pypirc\b|\.docker\/config\.json\b|\.(?:bash|zsh)_history\b/g;
const keychainDump =
  /\bsecurity\s+(?:dump-keychain|find-(?:generic|internet)-password\b[^\n|;]{0,120}?\s-\w{0,3}[wg]\b)/g;

function* check(passage: Passage): Iterable<Sighting> {
  const { text } = passage;
  const scene: Scene = { passage, spans: codeSpansOf(text), quotations: undefined };
  for (const match of text.matchAll(secretStore)) {
    if (sends(scene, match.index, match[0])) yield judge(scene, match.index, 'sends');
    else yield reads(scene, match.index, match[0]) ? judge(scene, match.index, 'reads') : 'spared';
  }
  for (const match of text.matchAll(settingsStore)) {
    yield sends(scene, match.index, match[0]) ? judge(scene, match.index, 'sends') : 'spared';
  }
  for (const match of text.matchAll(keychainDump)) yield judge(scene, match.index, 'reads');
}

interface Scene {
  readonly passage: Passage;
  readonly spans: Ranges;
  quotations: Ranges | undefined;
}

const tools = 'cat|bat|head|tail|strings|base64|xxd|od|cp|scp|rsync|tar|zip|gzip|Get-Content';
const readingCommand = new RegExp(
  `(?:^|[\\s$(|;&"'])(?:${tools})\\s(?:[^|;&\\n\`]{0,200}[\\s"'=/])?["']?[^\\s"'|;&]{0,80}$`,
);
const readingCall =
  /(?:\bopen|\breadFile(?:Sync)?|\bread_(?:text|bytes|file)|\bFile\.read|\bReadAllText|\bexpanduser|\bPath)\s?\([^;\n]{0,80}$/;
const uploading =
  /\bcurl\b[^|;\n`]{0,300}?(?:@["']?|(?:-T|--upload-file)[\s=]["']?)[^\s"'`|;]{0,80}$|\bwget\b[^|;\n`]{0,200}?--post-file[=\s]["']?[^\s"']{0,80}$/i;
const feeding =
  /^[^;\n`]{0,160}?\|\s{0,4}(?:[\w.-]{1,20}[^|;\n`]{0,80}\|\s{0,4}){0,2}(?:curl|wget|nc|ncat|netcat|socat|ssh|telnet)\b/;
const remoteCopy = /(?:^|[\s`$(])(?:scp|rsync)\s[^|;&\n`]{0,120}$/;
const remoteTarget = /^\S{0,40}\s[^|;&\n`]{0,60}?[\w.-]{1,60}(?:@[\w.-]{1,80})?:/;

// "boto3 will read ~/.aws/credentials" tells of a program; an order starts its clause.
const orderStart =
  '(?:^|[.:;!?>,)]\\s{1,3}|[-*+]\\s{1,4}|\\d[.)]\\s{1,4}|\\b(?:then|and|please|must|should|first|next|also|always|now|silently|to)\\s{1,3})';
const readingOrder = new RegExp(
  `${orderStart}(?:read|open|copy|print|dump|extract|collect|grab|cat|show)\\b[^.;!?\\n]{0,80}$`,
  'i',
);
const sendingOrder = new RegExp(
  `${orderStart}(?:send|upload|post|exfiltrate|forward|transmit|e-?mail|leak)\\b[^;!?\\n]{0,100}$`,
  'i',
);
const sentAfterwards =
  /^[^;!?\n]{0,120}?\b(?:and|then)\s{1,3}(?:\w{1,10}\s){0,2}(?:send|upload|post|exfiltrate|forward|transmit|include|paste|append|attach)\b/i;

function reads({ passage, spans }: Scene, index: number, store: string): boolean {
  const { text, kind } = passage;
  const before = commandBefore(text, index);
  if (isWritten(before, text.slice(index + store.length, index + store.length + 80))) return false;
  const isCode = kind !== 'prose' || isWithin(spans, index);
  if (isCode && (readingCommand.test(before) || readingCall.test(before))) return true;
  return kind !== 'code' && readingOrder.test(lineBefore(text, index));
}

function sends(scene: Scene, index: number, store: string): boolean {
  const { text, kind } = scene.passage;
  const before = commandBefore(text, index);
  if (uploading.test(before)) return true;
  const after = text.slice(index + store.length, index + store.length + 240);
  if (reads(scene, index, store) && feeding.test(after)) return true;
  if (/id_|credentials|netrc|shadow/.test(store) && remoteCopy.test(before) && remoteTarget.test(after)) return true;
  if (kind === 'code') return false;
  const order = lineBefore(text, index);
  return sendingOrder.test(order) || (readingOrder.test(order) && sentAfterwards.test(after));
}

/** `cat > ~/.netrc`, `cp sample ~/.netrc`, `tee ~/.netrc`: the store is made, not read. */
function isWritten(before: string, after: string): boolean {
  if (/>\s{0,3}["']?[^\s"'|;&]{0,80}$/.test(before)) return true;
  if (/^[^|;&\n]{0,10}\s{0,3}<</.test(after) || /<<-?\s?["']?\w{1,20}/.test(before)) return true;
  const isLast = /^["']?[)]?\s{0,4}(?:$|[\n;&|`#])/.test(after);
  return (
    isLast &&
    /\b(?:cp|scp|rsync|mv|install)\s(?:-\S{1,20}\s{1,4}){0,4}[^\s-]\S{0,120}\s{1,4}["']?[^\s"']{0,80}$/.test(before)
  );
}

// Bounded, so that a text made of nothing but paths costs no more than its length.
function commandBefore(text: string, index: number): string {
  const before = text.slice(Math.max(0, index - 300), index);
  const cut = Math.max(...['\n', ';', '&&', '`'].map((separator) => before.lastIndexOf(separator)));
  return before.slice(cut + 1);
}

function lineBefore(text: string, index: number): string {
  const before = text.slice(Math.max(0, index - 140), index);
  return before.slice(before.lastIndexOf('\n\n') + 1).replace(/\s*\n\s*/g, ' ');
}

function judge(scene: Scene, index: number, deed: 'reads' | 'sends'): Sighting {
  if (isMentioned(scene, index)) return 'spared';
  return {
    index,
    severity: deed === 'sends' ? 'high' : 'medium',
    message: `The text has the agent ${deed === 'sends' ? 'send away' : 'read'} a place where credentials are kept.`,
    fix: 'Let the tool that owns the credentials use them; never read them into a skill.',
  };
}

function isMentioned(scene: Scene, index: number): boolean {
  const { passage } = scene;
  if (isWarnedAgainst(passage, index)) return true;
  if (passage.kind !== 'prose') return false;
  scene.quotations ??= quotationsOf(passage.text);
  const inQuotes = isWithin(scene.quotations, index) && !isWithin(scene.spans, index);
  return inQuotes || isDiscussed(passage, index);
}
