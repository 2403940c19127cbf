// Remarks as GitHub's workflow commands, so that they appear at their line in a pull request. Pure.

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  /** Relative to the repository's top. */
  readonly file: string;
  readonly line: number | undefined;
  readonly title: string;
  readonly message: string;
}

export function toAnnotation({ level, file, line, title, message }: Annotation): string {
  const properties = [
    `file=${escapeProperty(file)}`,
    ...(line ? [`line=${line}`] : []),
    `title=${escapeProperty(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${escapeMessage(message)}\n`;
}

/** As @actions/core does it: the runner undoes exactly these. */
const escapeMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string => escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
