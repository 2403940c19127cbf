// A workshop for a program of the bench: processes and folder are gone when that is, however it ends.
import { killAll } from './node-process.ts';
import { Workshop } from './workshop.ts';

export function openWorkshop(): Workshop {
  const workshop = new Workshop();
  process.once('exit', () => {
    killAll();
    workshop.close();
  });
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => process.exit(code));
  return workshop;
}
