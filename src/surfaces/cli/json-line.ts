// One JSON value on one line, as harmless for a terminal as json-output.ts makes it.
import { toJsonText } from './terminal/json-output.ts';

export const toJsonLine = (value: unknown): string => toJsonText(value, 0);
