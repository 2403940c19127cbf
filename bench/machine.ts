// Which machine the figures come from, and how busy it was.
import { availableParallelism, cpus, loadavg } from 'node:os';

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly node: string;
  readonly platform: string;
  /** Of the last minute. */
  readonly loadBefore: number;
  readonly loadAfter: number;
}

export const currentLoad = (): number => loadavg()[0] ?? 0;

export const describeMachine = (loadBefore: number): Machine => ({
  cores: availableParallelism(),
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  loadBefore,
  loadAfter: currentLoad(),
});

export const machineLines = (machine: Machine): readonly string[] => [
  `${machine.cores} cores (${machine.processor}), ${machine.platform}, node ${machine.node}, ` +
    `load average ${machine.loadBefore.toFixed(2)} before and ${machine.loadAfter.toFixed(2)} after`,
  'A busy machine makes the ratios worse, p99 first: compare runs with a similar load.',
];
