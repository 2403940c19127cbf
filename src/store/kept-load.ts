// A load as it is kept, in the log and in its journal: clients name themselves, so neither length nor characters can be trusted.
import type { Load } from '../repertoire/load-log.ts';
import { storableText } from '../text/storable-text.ts';

const LONGEST_TEXT = 256;
const LONGEST_PATH = 1_000;

export function keptLoad({ skillName, digest, client, surface, path, loadedAt }: Load): Load {
  const load = {
    skillName: keptName(skillName),
    digest: keptName(digest),
    client: keptName(client),
    surface: keptName(surface),
  };
  return { ...load, ...(path !== undefined && { path: storableText(path.slice(0, LONGEST_PATH)) }), loadedAt };
}

export const keptName = (text: string): string => storableText(text.slice(0, LONGEST_TEXT));
