// Which commands fetch something, which run what they are fed, and which installers are well known.

const fetchWord = /\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b/i;
const address =
  /https?:\/\/|\$\{?\w|<[A-Za-z_-]{2,30}>|\b[\w-]{1,63}\.(?:sh|com|io|dev|org|net|run|app|ai|me|co|xyz|example)\b/i;

/** True when the stage fetches something that has an address: `curl … | sh` in prose names none and downloads nothing. */
export function fetches(stage: string): boolean {
  const at = stage.search(fetchWord);
  return at !== -1 && address.test(stage.slice(at));
}

const shells = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:ba|z|da|k|a|fi)?sh$/;
const interpreters = /^(?:\/usr\/bin\/)?(?:python[\d.]*|node|deno|bun|perl|ruby|php|pwsh|powershell)$/i;

/** True when these words, at the end of a pipe, run what comes in: `sudo -E bash -`, `python3`, `iex`; not `python -m json.tool`. */
export function runsItsInput(words: readonly string[]): boolean {
  const rest = withoutPrefix(words);
  const command = (rest[0] ?? '').replace(/[)"'.,:]+$/, '');
  const args = rest.slice(1).filter((word) => !/^(?:[)"'}\]]|\d?>|2>&1|#.*|\/dev\/null)/.test(word));
  if (/^(?:iex|invoke-expression)$/i.test(command)) return true;
  if (shells.test(command)) return shellReadsInput(args);
  return interpreters.test(command) && (args.length === 0 || args[0] === '-');
}

function withoutPrefix(words: readonly string[]): readonly string[] {
  const start = words.findIndex(
    (word) => !/^(?:sudo|env|command|exec|nohup|time|-\w{1,3}|\w{1,40}=\S{0,200})$/.test(word),
  );
  return start === -1 ? [] : words.slice(start);
}

function shellReadsInput(args: readonly string[]): boolean {
  if (args.some((word) => /^-\w{0,6}c$/.test(word))) return false;
  if (args.some((word) => /^-\w{0,6}s/.test(word))) return true;
  // `bash -o pipefail` takes a word; any other word is a script, and the input is only its data.
  const script = args.findIndex(
    (word, at) => !word.startsWith('-') && args[at - 1] !== '-o' && !/^-\w{0,6}o$/.test(args[at - 1] ?? ''),
  );
  return script === -1 || args[script] === '--';
}

const installers: readonly string[] = [
  'sh.rustup.rs',
  'get.docker.com',
  'sdk.cloud.google.com',
  'fluxcd.io',
  'run.linkerd.io',
  'community.chocolatey.org',
  'get.scoop.sh',
  'istio.io',
  'bun.sh',
  'bun.com',
  'deno.land',
  'astral.sh',
  'install.python-poetry.org',
  'pyenv.run',
  'get.pnpm.io',
  'deb.nodesource.com',
  'rpm.nodesource.com',
  'fnm.vercel.app',
  'get.volta.sh',
  'mise.run',
  'mise.jdx.dev',
  'starship.rs',
  'get.k3s.io',
  'tailscale.com',
  'ollama.com',
  'claude.ai',
  'get.sdkman.io',
  'fly.io',
  'cli.github.com',
  'opencode.ai',
  'get.helm.sh',
  'install.duckdb.org',
  'apt.llvm.org',
  'get.nextflow.io',
  'chatgpt.com',
  'cursor.com',
  'foundry.paradigm.xyz',
  'raw.githubusercontent.com/nvm-sh/nvm/',
  'raw.githubusercontent.com/Homebrew/install/',
  'raw.githubusercontent.com/helm/helm/',
  'raw.githubusercontent.com/ohmyzsh/ohmyzsh/',
  'raw.githubusercontent.com/rustup/',
  'raw.githubusercontent.com/k3d-io/k3d/',
  'raw.githubusercontent.com/pyenv/pyenv-installer/',
  'raw.githubusercontent.com/golangci/golangci-lint/',
  'raw.githubusercontent.com/aquasecurity/trivy/',
  'raw.githubusercontent.com/anchore/',
];

/** True when the address is not meant to be fetched: a stand-in for an attacker's, or reserved by RFC 2606. */
export function namesAnExample(command: string): boolean {
  return /\b(?:attacker|evil|malicious)[\w-]{0,20}\.|\/\/attacker\b|\bexample\.(?:com|org|net)\b/i.test(command);
}

/** True when every address in the command is, over https, that of a well-known installer. */
export function isKnownInstaller(command: string): boolean {
  const addresses =
    command.match(/\b[a-z]{3,5}:\/\/[^\s"'`)>|]{1,500}|\s[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\/[^\s"'`)>|]{1,200}/gi) ??
    [];
  return addresses.length > 0 && addresses.every((address) => isKnownAddress(withScheme(address.trim())));
}

// `irm bun.sh/install.ps1` has none; today's tools then ask over https or are redirected to it.
const withScheme = (address: string): string => (address.includes('://') ? address : `https://${address}`);

function isKnownAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  // Parsed, not searched: `https://sh.rustup.rs@evil.example/` and `https://sh.rustup.rs.evil.example/` are neither.
  const { protocol, hostname, port, pathname } = new URL(address);
  if (protocol !== 'https:' || port !== '') return false;
  return installers.some((known) =>
    known.includes('/') ? `${hostname}${pathname}`.startsWith(known) : known === hostname,
  );
}
