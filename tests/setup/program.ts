// Builds dist/ once before the tests of the program, unless it was built from these very sources.
import { execFileSync } from 'node:child_process';
import { isBuilt } from '../../scripts/built-sources.ts';

export default function buildProgram(): void {
  if (isBuilt()) return;
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
