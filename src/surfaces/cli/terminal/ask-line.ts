// One line from the person at the terminal. The question goes to standard error: standard output is for data.
import { createInterface } from 'node:readline';

/** `undefined`: Ctrl-C, or the end of the input. */
export function askLine(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    terminal.once('SIGINT', () => terminal.close());
    const leave = () => {
      process.stderr.write('\n');
      resolve(undefined);
    };
    terminal.once('close', leave);
    terminal.question(question, (answer) => {
      terminal.off('close', leave).close();
      resolve(answer);
    });
  });
}
