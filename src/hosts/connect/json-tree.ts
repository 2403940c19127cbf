// JSON with comments and trailing commas → a tree that knows where everything stands. Pure; strict about all else.
import { fail, ok, type Result } from '../../values/result.ts';
import { createFields, type Value } from './fields.ts';
import { skipBlanks } from './json-blanks.ts';

export interface JsonMember {
  readonly key: string;
  readonly start: number;
  readonly keyEnd: number;
  readonly value: JsonNode;
  /** Where its comma stands. */
  readonly comma: number | undefined;
}

export interface JsonNode {
  readonly start: number;
  readonly end: number;
  readonly value: Value;
  /** Of an object only. */
  readonly members?: readonly JsonMember[];
}

/** A file without any value is `undefined`. */
export function parseJsonTree(text: string): Result<JsonNode | undefined, string> {
  const reader = new JsonReader(text);
  try {
    return ok(reader.readDocument());
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const line = text.slice(0, error.at).split('\n').length;
    return fail(`line ${line}: ${error.message}`);
  }
}

const stringEnd = /["\\\0-\x1f]/g;
const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Deeper than any real file; a reader that calls itself has an end to its stack. */
const deepest = 200;

class JsonFault extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

class JsonReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readDocument(): JsonNode | undefined {
    this.#skip();
    if (this.#at === this.#text.length) return undefined;
    const node = this.#readValue();
    this.#skip();
    if (this.#at < this.#text.length) throw new JsonFault(this.#at, 'more text follows where the file should end');
    return node;
  }

  #readValue(): JsonNode {
    const sign = this.#text[this.#at];
    if (sign !== '{' && sign !== '[') return this.#readScalar();
    if (++this.#depth > deepest) throw new JsonFault(this.#at, 'it is nested too deeply');
    const node = sign === '{' ? this.#readObject() : this.#readArray();
    this.#depth--;
    return node;
  }

  #readObject(): JsonNode {
    const start = this.#at++;
    const members: JsonMember[] = [];
    for (this.#skip(); this.#text[this.#at] !== '}'; this.#skip()) {
      if (members.length > 0 && members.at(-1)?.comma === undefined) throw this.#expected('a comma or }');
      members.push(this.#readMember());
    }
    const value = createFields(members.map((member) => [member.key, member.value.value]));
    return { start, end: ++this.#at, value, members };
  }

  #readMember(): JsonMember {
    const start = this.#at;
    const key = this.#readString();
    const keyEnd = this.#at;
    this.#skip();
    if (this.#text[this.#at] !== ':') throw this.#expected('a colon');
    this.#at++;
    this.#skip();
    const value = this.#readValue();
    return { key, start, keyEnd, value, comma: this.#takeComma() };
  }

  #readArray(): JsonNode {
    const start = this.#at++;
    const items: JsonNode[] = [];
    let separated = true;
    for (this.#skip(); this.#text[this.#at] !== ']'; this.#skip()) {
      if (!separated) throw this.#expected('a comma or ]');
      items.push(this.#readValue());
      separated = this.#takeComma() !== undefined;
    }
    return { start, end: ++this.#at, value: items.map((item) => item.value) };
  }

  #takeComma(): number | undefined {
    this.#skip();
    return this.#text[this.#at] === ',' ? this.#at++ : undefined;
  }

  #readScalar(): JsonNode {
    const start = this.#at;
    if (this.#text[start] === '"') return { start, value: this.#readString(), end: this.#at };
    const word = this.#take(scalar);
    if (word === undefined) throw this.#expected('a value');
    return { start, end: this.#at, value: JSON.parse(word) };
  }

  /** Not one expression: for a text of megabytes that would need a stack of megabytes. */
  #readString(): string {
    const start = this.#at;
    if (this.#text[start] !== '"') throw this.#expected('a text in double quotes');
    for (this.#at++; ; ) {
      stringEnd.lastIndex = this.#at;
      const found = stringEnd.exec(this.#text);
      this.#at = found?.index ?? start;
      if (found?.[0] === '"') return JSON.parse(this.#text.slice(start, ++this.#at));
      if (found?.[0] !== '\\' || this.#take(escaped) === undefined) throw this.#expected('the end of a text');
    }
  }

  #take(shape: RegExp): string | undefined {
    shape.lastIndex = this.#at;
    const word = shape.exec(this.#text)?.[0];
    this.#at += word?.length ?? 0;
    return word;
  }

  #skip(): void {
    // Most words follow each other closely, and a large file has millions of them.
    if (!/[\s/]/.test(this.#text[this.#at] ?? '')) return;
    this.#at = skipBlanks(this.#text, this.#at).end;
  }

  #expected(what: string): JsonFault {
    return new JsonFault(this.#at, `${what} is missing`);
  }
}
