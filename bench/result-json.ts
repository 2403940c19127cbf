// The result of a run as JSON: every sample, so that two runs can be compared later. Pure.
import type { Machine } from './machine.ts';
import type { JudgedRow } from './row.ts';

export function resultJson(machine: Machine, rows: readonly JudgedRow[]): string {
  const { loadBefore, loadAfter, ...rest } = machine;
  const value = { machine: { ...rest, load_before: loadBefore, load_after: loadAfter }, rows: rows.map(rowJson) };
  return `${JSON.stringify(value, null, 2)}\n`;
}

const rowJson = (row: JudgedRow) => ({
  section: row.section,
  what: row.what,
  unit: row.unit,
  measured: row.measured ?? null,
  floor: row.floor ?? null,
  ratio: row.ratio ?? null,
  judged_by: row.promise?.by ?? null,
  bar: row.promise?.bar ?? null,
  goal: row.promise?.goal ?? null,
  verdict: row.verdict,
  samples: row.samples,
  floor_samples: row.floorSamples,
});
