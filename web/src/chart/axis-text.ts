// What stands at the marks of a chart's upright axis. Pure.

interface Axis {
  readonly kind: 'stack' | 'lines';
  readonly format: (value: number) => string;
  /** Without anything drawn the axis has no measure. */
  readonly isEmpty: boolean;
}

/** Each text once: marks that are closer than the format can tell apart stay bare. */
export function axisTexts(marks: readonly number[], axis: Axis): readonly string[] {
  const texts = marks.map((mark) => axisText(mark, axis));
  return texts.map((text, at) => (texts.indexOf(text) === at ? text : ''));
}

/** Counts have no halves; round figures need no decimals. */
function axisText(mark: number, { kind, format, isEmpty }: Axis): string {
  if (mark === 0) return '0';
  if (isEmpty || (kind === 'stack' && !Number.isInteger(mark))) return '';
  return format(mark).replace(/\.0+(?= )/, '');
}
