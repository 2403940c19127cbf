// `npm start` as the README says it, on a free port and without building again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readServing, type Serving } from './serve-process.ts';

export interface StartedByNpm extends Serving {
  stop(): Promise<void>;
}

export async function startByNpm(home: string): Promise<StartedByNpm> {
  const words = ['start', '--ignore-scripts', '--silent', '--', '--port', '0', '--json'];
  // Nothing of the developer's set-up, and no look at a registry for a newer npm.
  const env = { HOME: home, PATH: process.env.PATH ?? '', npm_config_update_notifier: 'false' };
  // A group of its own: a signal has to reach the server behind npm and its shell.
  const child = spawn('npm', words, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const end = () => signalGroup(child.pid, 'SIGTERM');
  process.once('exit', end);
  const exit = once(child, 'close');
  const serving = await readServing(child).catch((error: Error) => {
    end();
    throw new Error(`${error.message}: ${stderr}`);
  });
  const stop = async () => {
    process.off('exit', end);
    end();
    await exit;
  };
  return { ...serving, stop };
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
