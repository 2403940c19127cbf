// Builds dist/ once before the tests, so that every test of the program runs what users run.
import { execFileSync } from 'node:child_process';

export default function buildProgram(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
