// Builds the MCP App into dist/web/skills-app.html: one file with everything in it, because hosts show it without any network.
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { keepLicences } from '../../scripts/keep-licences.ts';

export default defineConfig({
  // Said here, because a build under `npm test` finds NODE_ENV=test and would name our folders in the script.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  plugins: [keepLicences(), inlineEverything()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: false,
    target: 'es2022',
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: fileURLToPath(new URL('skills-app.html', import.meta.url)),
      checks: { bundlerTimings: false },
    },
  },
});

/** Puts the script and the style sheet into the page, in place of the elements that would load them. */
function inlineEverything(): Plugin {
  return {
    name: 'inline-everything',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['skills-app.html'];
      if (page?.type !== 'asset') throw new Error('Cannot build the MCP App: there is no page');
      let html = String(page.source);
      for (const [name, piece] of Object.entries(bundle)) {
        if (piece === page) continue;
        html = inline(html, name, piece.type === 'chunk' ? piece.code : String(piece.source));
        delete bundle[name];
      }
      page.source = html;
    },
  };
}

function inline(html: string, name: string, text: string): string {
  const isStyle = name.endsWith('.css');
  const quoted = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const element = isStyle
    ? new RegExp(`<link[^>]*href="[^"]*${quoted}"[^>]*>`)
    : new RegExp(`<script[^>]*src="[^"]*${quoted}"[^>]*></script>`);
  if (!element.test(html)) throw new Error(`Cannot build the MCP App: the page does not load ${name}`);
  // As a function: a `$&` in the code is not a reference to what was matched.
  if (isStyle) return html.replace(element, () => `<style>${text}</style>`);
  // A module waits for the page, so it may stand anywhere.
  return html.replace(element, () => `<script type="module">${asInlineScript(text)}</script>`);
}

/** What would end the element, or open a comment in it, is written so that it means the same to JavaScript alone. */
const asInlineScript = (code: string): string => code.replace(/<(?=\/script|!--|script)/gi, '\\x3C');
