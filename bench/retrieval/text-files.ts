// Reads the text files of a folder beside this file, in name order.
import { readdirSync, readFileSync } from 'node:fs';

export interface TextFile {
  readonly name: string;
  readonly text: string;
}

export function loadTextFiles(folder: string): readonly TextFile[] {
  const place = new URL(`./${folder}/`, import.meta.url);
  return readdirSync(place)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => ({ name, text: readFileSync(new URL(name, place), 'utf8').replaceAll('\r\n', '\n') }));
}
