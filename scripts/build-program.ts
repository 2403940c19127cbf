// Bundles the program without the bundler's own report: the first command of a newcomer shows the program, not its chunks.
import { rolldown } from 'rolldown';
import config from '../rolldown.config.ts';

const { output, ...input } = config;
const bundle = await rolldown({ ...input, logLevel: 'warn' });
await bundle.write(output);
await bundle.close();
