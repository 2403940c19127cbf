// Shell commands in a passage: pipelines and their stages, with offsets. Reads words, never runs or expands anything.

interface Stage {
  /** Trimmed at the front; offset of its first character in the passage. */
  readonly text: string;
  readonly index: number;
}

export type Pipeline = readonly Stage[];

/** Every pipeline in a text, lazily, in one pass. Line breaks, `;`, `&&`, `||` and backticks part pipelines; `|` parts stages. */
export function* pipelinesOf(text: string): Iterable<Pipeline> {
  const joined = joinContinuedLines(text);
  let stages: Stage[] = [];
  let from = 0;
  for (const match of joined.matchAll(/\|\||&&|\||[;\n`]/g)) {
    stages.push(stageOf(joined, from, match.index));
    from = match.index + match[0].length;
    if (match[0] === '|') continue;
    yield stages;
    stages = [];
  }
  stages.push(stageOf(joined, from, joined.length));
  yield stages;
}

/** The words of a stage after its first `limit` characters are ignored; quotes around a word are dropped. */
export function wordsOf(text: string, limit = 400): readonly string[] {
  return text
    .slice(0, limit)
    .split(/\s+/)
    .map((word) => word.replace(/^["']+|["',]+$/g, ''))
    .filter((word) => word !== '');
}

// Same length as before, so that offsets stay true: `curl … \⏎ | sh` and `curl … |⏎ sh` are one pipeline.
function joinContinuedLines(text: string): string {
  return text.replace(/\\\r?\n|\|[ \t]*\r?\n/g, (match) => match.replace(/[\\\r\n]/g, ' '));
}

function stageOf(text: string, from: number, to: number): Stage {
  const raw = text.slice(from, to);
  const trimmed = raw.trimStart();
  return { text: trimmed, index: from + raw.length - trimmed.length };
}
