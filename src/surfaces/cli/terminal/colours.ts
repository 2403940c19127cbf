// Colour for people, nothing for programs. Own codes: `styleText` costs 1.3 ms at its first call, this nothing.

export type Paint = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>>;

/** FORCE_COLOR beats NO_COLOR, as in Node itself; both beat what the terminal looks like. */
export function wantsColour(isTerminal: boolean, variables: Readonly<Record<string, string | undefined>>): boolean {
  const forced = variables.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (variables.NO_COLOR) return false;
  return isTerminal && variables.TERM !== 'dumb';
}

export function createPaint(coloured: boolean): Paint {
  const style = (open: number, close: number) => (text: string) =>
    coloured && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  };
}
