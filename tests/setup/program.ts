// Builds dist/ once before the tests of the program, unless it was built from these very sources.
import { spawnSync } from 'node:child_process';
import { isBuilt } from '../../scripts/built-sources.ts';

export default function buildProgram(): void {
  if (isBuilt()) return;
  // What the compiler has to say comes on its standard output.
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 2, 'inherit'] });
  if (status !== 0) throw new Error('Cannot build dist/ for the tests: see the message above');
}
