// Rule `secret-shape`: a credential written into the text. Placeholders, hashes and published examples are spared.
import type { InspectionRule, Sighting } from './finding.ts';
import { entropyOf, findSecretAt, secretShapes } from './secret-shapes.ts';
import type { SourceText } from './source-text.ts';

export const secretShape: InspectionRule = { rule: 'secret-shape', find };

const fix = 'Revoke the credential, remove it from the text and read it from the environment.';

function* find({ text }: SourceText): Iterable<Sighting> {
  const seen = new Set<number>();
  for (const secret of secretShapes) {
    for (const index of prefixPlaces(text, secret.prefixes)) {
      // The first shape that fits names it: an Anthropic key also has the shape of an OpenAI one.
      if (seen.has(index) || findSecretAt(text, index, secret) === undefined) continue;
      seen.add(index);
      yield {
        index,
        severity: secret.severity,
        message: `The text contains what looks like a real ${secret.kind}.`,
        fix,
      };
    }
  }
  yield* findPrivateKeys(text);
}

function* prefixPlaces(text: string, prefixes: readonly string[]): Iterable<number> {
  for (const prefix of prefixes) {
    for (let at = text.indexOf(prefix); at !== -1; at = text.indexOf(prefix, at + prefix.length)) yield at;
  }
}

const keyHeader = /-----BEGIN (?:[A-Z]{2,9} ){0,2}PRIVATE KEY(?: BLOCK)?-----/g;

function* findPrivateKeys(text: string): Iterable<Sighting> {
  for (const match of text.matchAll(keyHeader)) {
    const after = match.index + match[0].length;
    if (!hasKeyBody(text.slice(after, after + 400))) yield 'spared';
    else yield { index: match.index, severity: 'high', message: 'The text contains a private key.', fix };
  }
}

// Documentation shows the header with `...` or `MIIE...` below it; a key has line after line of base64.
function hasKeyBody(following: string): boolean {
  const body = following.replace(/\\[nr]|[\s"'+]|Proc-Type:[^\n]*|DEK-Info:[^\n]*/g, '');
  const base64 = /^[A-Za-z0-9/=]{60,}/.exec(body)?.[0];
  return base64 !== undefined && entropyOf(base64) > 4;
}
