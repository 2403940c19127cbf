// What a host still needs from its user before it uses our entry in a folder: the answers that it keeps are read, not guessed.
import { dirname, join, relative } from 'node:path';
import { openConfigFile } from '../connect/config-file.ts';
import type { FormatName } from '../connect/config-format.ts';
import { entryName } from '../connect/entry.ts';
import { createFields, type Fields, findValue, isFields, type Value } from '../connect/fields.ts';
import type { ConfigScope, ConnectableHost, Machine } from '../connect/host-files.ts';
import { openConfig } from '../connect/open-config.ts';
import type { Move } from '../host.ts';
import { resolveUserPath } from '../host-paths.ts';

/** Sentences. `folder`: absolute, where the host is used. */
export function findNeeds(
  host: ConnectableHost,
  scope: ConfigScope,
  folder: string,
  machine: Machine,
): readonly string[] {
  const { asks } = host.config;
  if (asks === undefined || !asks.scopes.includes(scope)) return [];
  const answer = answers[host.id]?.({ host, folder, machine }) ?? 'open';
  return answer === 'granted' ? [] : [asks[answer]];
}

type Answer = 'granted' | 'refused' | 'open';

interface Asked {
  readonly host: ConnectableHost;
  readonly folder: string;
  readonly machine: Machine;
}

/** Where each of them keeps what its user said. Seen in the versions of the table (docs/connect.md). */
const answers: Readonly<Record<string, (asked: Asked) => Answer>> = {
  'claude-code': findClaudeAnswer,
  codex: findCodexAnswer,
  'github-copilot-cli': findCopilotAnswer,
  'gemini-cli': findGeminiAnswer,
};

function findClaudeAnswer({ host, folder, machine }: Asked): Answer {
  const main = readFile(userPath('~/.claude.json', host.config.moved, machine));
  const places = [
    findValue(main, ['projects', folder]),
    readFile(userPath('~/.claude/settings.json', host.moved, machine)),
    readFile(join(folder, '.claude/settings.json')),
    readFile(join(folder, '.claude/settings.local.json')),
  ].filter((place): place is Fields => place !== undefined && isFields(place));
  if (places.some((place) => textsIn(place.disabledMcpjsonServers).includes(entryName))) return 'refused';
  const isGranted = places.some(
    (place) => place.enableAllProjectMcpServers === true || textsIn(place.enabledMcpjsonServers).includes(entryName),
  );
  return isGranted ? 'granted' : 'open';
}

/** The nearest folder that it was asked about decides. */
function findCodexAnswer({ host, folder, machine }: Asked): Answer {
  const projects = findValue(readFile(userPath('~/.codex/config.toml', host.moved, machine), 'toml'), ['projects']);
  for (const each of withParents(folder)) {
    const level = projects === undefined ? undefined : findValue(projects, [each, 'trust_level']);
    if (typeof level === 'string') return level === 'trusted' ? 'granted' : 'refused';
  }
  return 'open';
}

function findCopilotAnswer({ host, folder, machine }: Asked): Answer {
  const state = readFile(userPath('~/.copilot/config.json', host.moved, machine));
  const trusted = [...textsIn(state.trusted_folders), ...textsIn(state.trustedFolders)];
  return trusted.some((parent) => isWithin(folder, parent)) ? 'granted' : 'open';
}

/** The longest path that fits decides. */
function findGeminiAnswer({ host, folder, machine }: Asked): Answer {
  const settings = readFile(userPath('~/.gemini/settings.json', host.moved, machine));
  if (findValue(settings, ['security', 'folderTrust', 'enabled']) === false) return 'granted';
  const rules = Object.entries(readFile(userPath('~/.gemini/trustedFolders.json', host.moved, machine)))
    .map(([path, rule]) => ({ path: rule === 'TRUST_PARENT' ? dirname(path) : path, rule }))
    .filter(({ path }) => isWithin(folder, path))
    .sort((a, b) => b.path.length - a.path.length);
  if (rules[0] === undefined) return 'open';
  return rules[0].rule === 'DO_NOT_TRUST' ? 'refused' : 'granted';
}

const userPath = (label: string, moved: readonly Move[] | undefined, machine: Machine): string =>
  resolveUserPath(label, moved, machine);

/** A file that is not there or cannot be read says nothing. */
function readFile(path: string, format: FormatName = 'json'): Fields {
  const file = openConfigFile(path);
  const open = file.ok ? openConfig(file.value.text ?? '', format) : file;
  return open.ok ? open.value.fields : createFields([]);
}

const textsIn = (value: Value | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

function withParents(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

function isWithin(folder: string, parent: string): boolean {
  const way = relative(parent, folder);
  return way === '' || !(way === '..' || way.startsWith('../') || way.startsWith('..\\') || /^[A-Za-z]:/.test(way));
}
