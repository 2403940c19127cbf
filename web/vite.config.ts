// Builds the dashboard into dist/web: one page, one script, one style sheet, named by their content.
import { defineConfig } from 'vite';
import { keepLicences } from '../scripts/keep-licences.ts';

export default defineConfig({
  // Said here, because a build under `npm test` finds NODE_ENV=test and would name our folders in the script.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  plugins: [keepLicences()],
  build: {
    outDir: '../dist/web',
    // The build of the program has emptied it, and the MCP App is built into it at the same time.
    emptyOutDir: false,
    target: 'es2022',
    // Inlined assets would need `data:` where the content security policy has none.
    assetsInlineLimit: 0,
    // What is fetched later has nothing that it would wait for.
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
