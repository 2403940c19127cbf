// The manifest of the bundle for desktop hosts (MCPB): what the host starts, and what it asks its user for.

/** From package.json. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly engines: { readonly node: string };
}

/** `platform`: native parts are those of the machine that made the bundle. */
export const bundleManifest = (own: BundledPackage, platform: string) => ({
  manifest_version: '0.3',
  name: own.name,
  display_name: 'Repertoire',
  version: own.version,
  description: own.description,
  author: { name: 'The authors of Repertoire' },
  license: own.license,
  keywords: own.keywords,
  server: {
    type: 'node',
    entry_point: ENTRY,
    mcp_config: {
      command: 'node',
      args: [`\${__dirname}/${ENTRY}`, 'mcp', '--default-roots', '--root', `\${user_config.skills}`],
    },
  },
  user_config: {
    skills: {
      type: 'directory',
      title: 'Folder of skills',
      description: 'Searched before the usual folders of agents in your home directory',
      required: true,
      default: `\${HOME}/.agents/skills`,
    },
  },
  compatibility: { platforms: [platform], runtimes: { node: own.engines.node } },
});

const ENTRY = 'node_modules/repertoire/dist/cli.js';
