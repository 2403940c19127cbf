// Where a command writes: standard output or standard error, and the sentence that it gives up with.
import { withoutCredentials } from '../../../text/credentials.ts';
import { toOneLine } from '../../../text/one-line.ts';
import type { Paint } from './colours.ts';
import { wrapText } from './text-layout.ts';

/** What a text is laid out for. */
export interface Layout {
  readonly paint: Paint;
  readonly columns: number;
}

export interface Output extends Layout {
  /** A person is looking: widths and escaping matter. */
  readonly isTerminal: boolean;
  write(data: string | Uint8Array): void;
}

/**
 * @example
 * if (!opened.ok) return exitSaying(context, opened.failure, 1);
 */
export function exitSaying<Code>({ errors }: { readonly errors: Output }, sentence: string, exitCode: Code): Code {
  saySentence(errors, withoutCredentials(sentence));
  return exitCode;
}

/** On one line for programs; a terminal would break it inside a word. */
export function saySentence(errors: Output, sentence: string): void {
  const line = toOneLine(sentence);
  errors.write(`${errors.isTerminal ? wrapText(line, errors.columns).join('\n') : line}\n`);
}
