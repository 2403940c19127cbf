// `npm run bench`: what we promise on speed, measured beside its floor in the same run. Arguments, order, exit code.

import { existsSync, writeFileSync } from 'node:fs';
import { createPaint, wantsColour } from '../src/surfaces/cli/terminal/colours.ts';
import type { Output } from '../src/surfaces/cli/terminal/output.ts';
import { startProgress } from '../src/surfaces/cli/terminal/progress.ts';
import { now } from './clock.ts';
import { currentLoad, describeMachine, machineLines } from './machine.ts';
import { type Measure, programPath } from './measure.ts';
import { measureBig } from './measures/big.ts';
import { measureBombs } from './measures/bombs.ts';
import { measureCold } from './measures/cold.ts';
import { measureFresh } from './measures/fresh.ts';
import { measureGrowth } from './measures/growth.ts';
import { measureHttp } from './measures/http.ts';
import { measureInvoke } from './measures/invoke.ts';
import { measureRead } from './measures/read.ts';
import { measureRuns } from './measures/runs.ts';
import { measureSearch } from './measures/search.ts';
import { measureStore } from './measures/store.ts';
import { measureToolList } from './measures/tool-list.ts';
import { openWorkshop } from './open-workshop.ts';
import { type BenchOptions, type MeasureName, measureNames, parseOptions, usage } from './options.ts';
import { resultJson } from './result-json.ts';
import { type JudgedRow, judge } from './row.ts';
import { legend, renderTable } from './table.ts';

const measures = {
  cold: measureCold,
  read: measureRead,
  fresh: measureFresh,
  list: measureToolList,
  big: async (context) => [
    ...(await measureBig(context)),
    ...(await measureBombs(context)),
    ...(await measureGrowth(context)),
  ],
  search: measureSearch,
  invoke: measureInvoke,
  store: measureStore,
  runs: measureRuns,
  http: measureHttp,
} satisfies Record<MeasureName, Measure>;

const output = createOutput(process.stdout);
const errors = createOutput(process.stderr);
process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<0 | 1 | 2> {
  const options = parseOptions(words);
  if (!options.ok) {
    errors.write(`${options.failure}\n`);
    return 2;
  }
  if (options.value.help) {
    output.write(usage);
    return 0;
  }
  if (!existsSync(programPath)) {
    errors.write('Cannot measure: the program is not built; run npm run build\n');
    return 1;
  }
  try {
    return await runBench(options.value);
  } catch (error) {
    errors.write(`Cannot finish the bench: ${messageOf(error)}\n`);
    return 1;
  }
}

async function runBench(options: BenchOptions): Promise<0 | 1> {
  const loadBefore = currentLoad();
  const { rows, failures } = await takeMeasures(options);
  const machine = describeMachine(loadBefore);
  output.write(`${renderTable(rows, output)}\n${legend}\n\n${machineLines(machine).join('\n')}\n`);
  for (const failure of failures) errors.write(`${failure}\n`);
  if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, resultJson(machine, rows));
  const missed = rows.some(({ verdict }) => verdict === 'missed');
  return failures.length > 0 || (options.strict && missed) ? 1 : 0;
}

/** A measure that fails costs its own rows, not those of the others. */
async function takeMeasures(
  options: BenchOptions,
): Promise<{ rows: readonly JudgedRow[]; failures: readonly string[] }> {
  const workshop = openWorkshop();
  const progress = startProgress(errors, now);
  const rows: JudgedRow[] = [];
  const failures: string[] = [];
  for (const name of measureNames.filter((each) => options.only.includes(each))) {
    try {
      const taken = await measures[name]({ ...options, workshop, progress: (text) => progress.update(text) });
      rows.push(...taken.map(judge));
    } catch (error) {
      failures.push(`Cannot measure ${name}: ${messageOf(error)}`);
    }
  }
  progress.end();
  return { rows, failures };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function createOutput(stream: NodeJS.WriteStream): Output {
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    columns: stream.columns ?? 100,
    paint: createPaint(wantsColour(isTerminal, process.env)),
    write: (data) => stream.write(data),
  };
}
