// Rule `pipe-to-shell`: a download that is run unseen. Known installers are reported too, as medium: they are honest,
// but what they run may change after the skill was reviewed, and the agent rather than a person would start it.

import { pipelinesOf, wordsOf } from './commands.ts';
import { fetches, isKnownInstaller, namesAnExample, runsItsInput } from './downloads.ts';
import type { Hit, Sighting } from './finding.ts';
import { inPassages } from './in-passages.ts';
import { isWarnedAgainst } from './mention.ts';
import type { Passage } from './source-text.ts';

export const pipeToShell = inPassages({
  rule: 'pipe-to-shell',
  triggers: ['curl', 'wget', 'iwr', 'irm', 'invoke-webrequest', 'invoke-restmethod', 'downloadstring'],
  kinds: ['prose', 'code', 'comment'],
  check,
});

// Substitution needs no pipe: `bash <(curl …)`, `sh -c "$(curl …)"`, `eval "$(wget …)"`, `iex (iwr …)`. Backticks are left out: in prose they open a code span.
const substituted =
  /(?:\b(?:(?:ba|z|da|k)?sh|source|eval|exec)\b|(?:^|\s)\.)\s{1,4}(?:-\w{1,6}\s{1,4}){0,3}(?:<\(|["']?\$\()\s{0,4}(?:sudo\s{1,4})?(?:curl|wget)\b|\b(?:iex|invoke-expression)\b[\s("'&{]{1,10}(?:new-object\b[^|;\n]{0,80}downloadstring|(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod)\b)/gi;

/** A longer pipeline is not a command that people type, but a way to waste time or to hide its end. */
const maxStages = 200;

function* check(passage: Passage): Iterable<Sighting> {
  for (const match of passage.text.matchAll(substituted)) {
    const command = passage.text.slice(match.index, match.index + 600);
    if (isWarnedAgainst(passage, match.index)) yield 'spared';
    else yield hitAt(match.index, command.split('\n', 1)[0] ?? '');
  }
  for (const pipeline of pipelinesOf(passage.text)) {
    if (pipeline.length < 2) continue;
    const from = pipeline.findIndex((stage) => fetches(stage.text));
    const source = pipeline[from];
    if (!source) continue;
    const later = pipeline.slice(from + 1, from + maxStages);
    const isRun = pipeline.length > maxStages || later.some((stage) => runsItsInput(wordsOf(stage.text)));
    if (isRun && !isWarnedAgainst(passage, source.index)) yield hitAt(source.index, source.text);
    else yield 'spared';
  }
}

function hitAt(index: number, command: string): Hit {
  const known = isKnownInstaller(command);
  const message = known
    ? 'A well-known installer is downloaded and run without being looked at.'
    : 'A command downloads a script and runs it without anyone having seen it.';
  const fix = 'Download to a file, check its hash or read it, then run it; or name the package to install.';
  return { index, severity: known || namesAnExample(command) ? 'medium' : 'high', message, fix };
}
