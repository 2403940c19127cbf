// Reads the words of a TOML text one after the other: keys, headers and values. Knows nothing of tables; see toml-tree.ts.
import { createFields, Spelled, type Value } from './fields.ts';

export class TomlFault extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

const space = /[ \t]*/y;
const blankLines = /(?:[ \t]*(?:#[^\0-\x08\x0a-\x1f\x7f]*)?\r?\n)*[ \t]*(?:#[^\0-\x08\x0a-\x1f\x7f]*$)?/y;
const between = /(?:[ \t\r\n]+|#[^\0-\x08\x0a-\x1f\x7f]*)*/y;
const lineEnd = /[ \t]*(?:#[^\0-\x08\x0a-\x1f\x7f]*)?(?:\r?\n|$)/y;
const bareKey = /[\w-]+/y;
const basic = /"(?:[^"\\\0-\x08\x0a-\x1f\x7f]|\\(?:[btnfr"\\]|u[\da-fA-F]{4}|U[\da-fA-F]{8}))*"/y;
const literal = /'[^'\0-\x08\x0a-\x1f\x7f]*'/y;
const longBasic =
  /"""(?:\r?\n)?((?:\\(?:[btnfr"\\]|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[ \t]*\r?\n)|\r?\n|"{1,2}(?!")|[^"\\\0-\x08\x0a-\x1f\x7f])*"{0,2})"""/y;
const longLiteral = /'''(?:\r?\n)?((?:\r?\n|'{1,2}(?!')|[^'\0-\x08\x0a-\x1f\x7f])*'{0,2})'''/y;
const simpleNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/;
const word =
  /(?:true|false|[+-]?(?:inf|nan)|0x[\da-fA-F]+(?:_[\da-fA-F]+)*|0o[0-7]+(?:_[0-7]+)*|0b[01]+(?:_[01]+)*|\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d:\d\d(?:\.\d+)?|[+-]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?)(?![\w.:+-])/y;

const deepest = 100;

export class TomlReader {
  readonly #text: string;
  #depth = 0;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.at === this.#text.length;
  }

  skipLines(): void {
    this.#take(blankLines);
  }

  endLine(): void {
    if (this.#take(lineEnd) === undefined) throw this.#fault('the line should end here');
  }

  takeHeader(): { readonly keys: readonly string[]; readonly isArray: boolean } | undefined {
    if (this.#text[this.at] !== '[') return undefined;
    const isArray = this.#text[this.at + 1] === '[';
    this.at += isArray ? 2 : 1;
    const keys = this.takeKeys();
    if (!this.#text.startsWith(isArray ? ']]' : ']', this.at)) throw this.#fault('the header is not closed');
    this.at += isArray ? 2 : 1;
    return { keys, isArray };
  }

  /** `a."b c".d` */
  takeKeys(): readonly string[] {
    const keys: string[] = [];
    do {
      this.#take(space);
      const key = this.#take(bareKey) ?? this.#takeQuoted();
      if (key === undefined) throw this.#fault('a key is missing');
      if (keys.push(key) > deepest) throw this.#fault('it is nested too deeply');
      this.#take(space);
    } while (this.#takeIf('.'));
    return keys;
  }

  takeSign(sign: string): void {
    this.#take(space);
    if (!this.#takeIf(sign)) throw this.#fault(`"${sign}" is missing`);
    this.#take(space);
  }

  takeValue(): Value {
    if (++this.#depth > deepest) throw this.#fault('it is nested too deeply');
    const value = this.#takeAnyValue();
    this.#depth--;
    return value;
  }

  #takeAnyValue(): Value {
    if (this.#takeIf('[')) return this.#takeArray();
    if (this.#takeIf('{')) return this.#takeInlineTable();
    const quoted = this.#takeLong() ?? this.#takeQuoted();
    if (quoted !== undefined) return quoted;
    const plain = this.#take(word);
    if (plain === undefined) throw this.#fault('a value is missing');
    if (plain === 'true' || plain === 'false') return plain === 'true';
    return simpleNumber.test(plain) ? Number(plain) : new Spelled(plain);
  }

  #takeArray(): Value {
    const items: Value[] = [];
    for (this.#take(between); !this.#takeIf(']'); this.#take(between)) {
      items.push(this.takeValue());
      this.#take(between);
      if (!this.#takeIf(',') && this.#text[this.at] !== ']') throw this.#fault('a comma or ] is missing');
    }
    return items;
  }

  #takeInlineTable(): Value {
    const table: Record<string, Value> = Object.create(null);
    this.#take(space);
    if (this.#takeIf('}')) return table;
    do {
      const keys = this.takeKeys();
      this.takeSign('=');
      this.#addTo(table, keys, this.takeValue());
      this.#take(space);
    } while (this.#takeIf(','));
    if (!this.#takeIf('}')) throw this.#fault('a comma or } is missing');
    return table;
  }

  #addTo(table: Record<string, Value>, [key = '', ...rest]: readonly string[], value: Value): void {
    if (rest.length === 0) {
      if (key in table) throw this.#fault(`"${key}" is there twice`);
      table[key] = value;
      return;
    }
    table[key] ??= createFields([]);
    const inner = table[key];
    if (Object.getPrototypeOf(inner) !== null) throw this.#fault(`"${key}" is no table`);
    this.#addTo(inner as Record<string, Value>, rest, value);
  }

  #takeLong(): string | undefined {
    const raw = this.#take(longLiteral, 1);
    if (raw !== undefined) return raw;
    return this.#unescape(this.#take(longBasic, 1)?.replace(/((?:^|[^\\])(?:\\\\)*)\\[ \t]*\r?\n\s*/g, '$1'));
  }

  #takeQuoted(): string | undefined {
    return this.#take(literal)?.slice(1, -1) ?? this.#unescape(this.#take(basic)?.slice(1, -1));
  }

  #unescape(text: string | undefined): string | undefined {
    return text?.replace(/\\(?:u(.{4})|U(.{8})|(.))/g, (_, short, long, sign: string) => {
      if (sign) return escapes[sign] ?? sign;
      const code = Number.parseInt(short ?? long, 16);
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw this.#fault('an escape is no character');
      return String.fromCodePoint(code);
    });
  }

  #takeIf(sign: string): boolean {
    if (this.#text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  #take(shape: RegExp, group = 0): string | undefined {
    shape.lastIndex = this.at;
    const match = shape.exec(this.#text);
    this.at += match?.[0].length ?? 0;
    return match?.[group];
  }

  #fault(message: string): TomlFault {
    return new TomlFault(this.at, message);
  }
}

const escapes: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' };
