#!/usr/bin/env node
// The program from its sources, for tests and for work on it. The built one begins with start.ts.
import { runProcess } from './run-process.ts';

process.exit(await runProcess({ webDirectory: `${import.meta.dirname}/web`, keepCompiled: () => {} }));
