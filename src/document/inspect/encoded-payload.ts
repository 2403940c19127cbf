// Rule `encoded-payload`: something decoded and run at once, so that the code cannot be read before it runs. Decoding into a file is spared.

import { type Pipeline, pipelinesOf, wordsOf } from './commands.ts';
import { runsItsInput } from './downloads.ts';
import type { Sighting } from './finding.ts';
import { inPassages } from './in-passages.ts';
import { isDiscussed, isWarnedAgainst } from './mention.ts';
import type { Passage } from './source-text.ts';

export const encodedPayload = inPassages({
  rule: 'encoded-payload',
  triggers: [
    'base64',
    'atob',
    'b64decode',
    'b32decode',
    'a85decode',
    'fromhex',
    'unhexlify',
    "'hex'",
    '"hex"',
    'xxd',
    'openssl',
    'powershell',
    'pwsh',
  ],
  kinds: ['prose', 'code', 'comment'],
  check,
});

const decodingCommand =
  /\bbase64\s+(?:-\w{0,4}[dD]\w{0,4}|--decode)\b|\bopenssl\s+(?:base64|enc)\b[^|]{0,60}?\s-d\b|\bxxd\s+-r\b/;

const shapes: readonly RegExp[] = [
  /\b(?:eval|exec|Function|execSync|spawnSync|system)\s{0,2}\(\s{0,4}(?:new\s|compile\(|zlib\.\w{1,20}\(|bytes\.|window\.|globalThis\.|Buffer\.|__import__\(['"]\w{1,20}['"]\)\.|codecs\.\w{1,10}\()?\s{0,4}(?:atob\s{0,2}\(|(?:base64\.)?(?:b64decode|b32decode|a85decode)\s{0,2}\(|fromhex\s{0,2}\(|unhexlify\s{0,2}\(|from\s{0,2}\([^)\n]{1,4000},\s{0,2}['"](?:base64|hex)['"])/g,
  /\b(?:powershell|pwsh)(?:\.exe)?\b[^\n|;]{0,80}?\s-(?:e|en|enc|enco|encodedcommand)\s+[A-Za-z0-9+/=]{24}/gi,
  /\b(?:iex|invoke-expression)\b[^\n]{0,80}?frombase64string/gi,
  /\b(?:(?:ba|z|da|k)?sh|eval|source)\s{1,4}(?:-\w{1,6}\s{1,4}){0,3}(?:<\(|["']?\$\(|["']?`)[^\n`)]{0,4000}?\bbase64\s{1,4}(?:-\w{0,4}[dD]|--decode)/g,
];

const shortLiteral = /^\w{1,10}\s?\(\s?(?:\w{1,12}\.)?(?:atob|b64decode)\s?\(\s?b?["'][^"']{0,24}["']/;

function* check(passage: Passage): Iterable<Sighting> {
  for (const index of placesIn(passage.text)) {
    if (isWarnedAgainst(passage, index) || (passage.kind === 'prose' && isDiscussed(passage, index))) {
      yield 'spared';
      continue;
    }
    yield {
      index,
      // Too short to hide anything: the usual sample of a guide to web security.
      severity: shortLiteral.test(passage.text.slice(index, index + 80)) ? 'medium' : 'high',
      message: 'A command decodes hidden content and runs it at once, so the code cannot be read before it runs.',
      fix: 'Write the commands out in plain text, or ship them as a file of the skill.',
    };
  }
}

function* placesIn(text: string): Iterable<number> {
  for (const shape of shapes) for (const match of text.matchAll(shape)) yield match.index;
  for (const pipeline of pipelinesOf(text)) {
    const index = decodedAndRun(pipeline);
    if (index !== undefined) yield index;
  }
}

function decodedAndRun(pipeline: Pipeline): number | undefined {
  let decoded = false;
  for (const stage of pipeline) {
    if (decoded && runsItsInput(wordsOf(stage.text))) return pipeline[0]?.index;
    decoded ||= decodingCommand.test(stage.text);
  }
  return undefined;
}
