// `repertoire new NAME`: writes a skill to start from, one that passes `check`. Never over something that is there.
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isValidName } from '../../document/validate.ts';
import { makeDirectory } from '../../files/make-directory.ts';
import { type Environment, toAbsolute } from '../../settings/config.ts';
import { toOneLine } from '../../text/one-line.ts';
import { toShellLine } from '../../text/shell-line.ts';
import { codeOf } from '../../values/error-code.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine } from './hint-line.ts';
import { documentTemplate, suggestName, suggestTypedName, typedTemplate } from './new-templates.ts';
import { openCatalogOnce } from './open-catalog-once.ts';
import { toDisplayPath } from './terminal/display-path.ts';
import { exitSaying, type Layout, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';
import { hangingText } from './terminal/text-layout.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const fault = findOptionFault(context);
  if (fault !== undefined) return exitSaying(context, fault, 2);
  return context.flags.has('typed') ? makeTyped(context) : makeDocument(context);
}

/** Each kind has a place of its own. */
function findOptionFault({ flags, values }: CommandContext): string | undefined {
  const isTyped = flags.has('typed');
  if (!isTyped && values.has('config'))
    return 'Option --config needs --typed: a document skill is a folder; choose its folder with --root';
  if (isTyped && (values.has('root') || values.has('scope')))
    return 'Option --typed cannot be combined with --root or --scope: name the file to write with --config';
  return undefined;
}

interface Made {
  readonly name: string;
  readonly kind: 'document' | 'typed';
  /** Absolute. */
  readonly path: string;
  /** What to do with it. */
  readonly next: readonly NextStep[];
}

interface NextStep {
  readonly text: string;
  readonly command?: string;
}

async function makeDocument(context: CommandContext): Promise<ExitCode> {
  const name = context.operands[0] ?? '';
  if (!isValidName(name)) return exitSaying(context, documentNameFault(name), 2);
  const folder = join(findPlace(context), name);
  const path = join(folder, 'SKILL.md');
  const twin = await findTwin(name, context);
  const written = writeFolder(folder, path, documentTemplate(name));
  if (!written.ok) return refuse(context, name, folder, written.failure);
  report(context, {
    name,
    kind: 'document',
    path,
    next: [
      { text: 'Write what it does, when to use it, and the steps.' },
      {
        text: 'Check it:',
        command: toShellLine([...context.program(), 'check', plainPath(folder, context.environment)]),
      },
      { text: 'See if a request finds it:', command: hintLine(context, ['search', 'some words of a request']) },
      { text: 'Connect an agent:', command: hintLine(context, ['connect']) },
    ],
  });
  if (twin !== undefined)
    saySentence(context.errors, `Warning: another skill named "${name}" is in ${twin}; only one of the two is served`);
  return 0;
}

function documentNameFault(name: string): string {
  const suggested = suggestName(name);
  const instead = suggested === undefined ? 'for example release-notes' : `for example ${suggested}`;
  return `Cannot create a skill named "${toOneLine(name, 80)}": use 1 to 64 lowercase letters a-z, digits and single hyphens between words; ${instead}`;
}

/** Absolute: the first --root, in the project, or in the person's own folder. */
function findPlace({ values, environment, settings }: CommandContext): string {
  const [root] = values.get('root') ?? [];
  if (root !== undefined) return toAbsolute(root, environment);
  const isProject = values.get('scope')?.at(-1) === 'project' || (values.has('project') && !values.has('scope'));
  return join(isProject ? settings.rootRequest.project : environment.home, PERSONAL);
}

/** The first that is looked at, in a project and at home (catalog/roots.ts). */
const PERSONAL = '.agents/skills';

/** For a shell: below the working directory, or whole. */
function plainPath(path: string, environment: Environment): string {
  const shown = toDisplayPath(path, environment);
  return shown.startsWith('~') ? path : shown;
}

/** The folder of a skill that has the name already, wherever the same options look. */
async function findTwin(name: string, context: CommandContext): Promise<string | undefined> {
  const catalog = await openCatalogOnce(context, { saysItself: true });
  const twin = catalog.current.findByName(name);
  catalog.close();
  return twin === undefined ? undefined : toDisplayPath(twin.baseDirectory, context.environment);
}

/** A folder that is there is left alone, even an empty one. */
function writeFolder(folder: string, path: string, text: string): Result<undefined, string> {
  return trying(() => {
    makeDirectory(dirname(folder), 0o777);
    mkdirSync(folder);
    try {
      writeFileSync(path, text, { flag: 'wx' });
    } catch (error) {
      rmdirSync(folder);
      throw error;
    }
  });
}

async function makeTyped(context: CommandContext): Promise<ExitCode> {
  const { operands, values, environment, settings, program } = context;
  const name = operands[0] ?? '';
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) return exitSaying(context, typedNameFault(name), 2);
  const [given] = values.get('config') ?? [];
  const path = given === undefined ? join(settings.rootRequest.project, CONFIG) : toAbsolute(given, environment);
  if (!/\.[cm]?[jt]s$/.test(path))
    return exitSaying(
      context,
      `Cannot write ${quoted(path, context)}: a file with typed skills ends in .mjs, .js or .ts`,
      2,
    );
  const written = trying(() => {
    makeDirectory(dirname(path), 0o777);
    writeFileSync(path, typedTemplate(name), { flag: 'wx' });
  });
  if (!written.ok) return refuse(context, name, path, written.failure);
  const file = plainPath(path, environment);
  const line = (...words: readonly string[]) => toShellLine([...program(), ...words]);
  report(context, {
    name,
    kind: 'typed',
    path,
    next: [
      { text: 'Write what it takes, what it returns, and the function.' },
      { text: 'Run it:', command: line('invoke', name, '--config', file, '--input', '{"name": "Ada"}') },
      { text: 'Check it:', command: line('check', '--config', file) },
      { text: 'Connect an agent:', command: line('connect', '--config', file) },
    ],
  });
  return 0;
}

const CONFIG = 'repertoire.config.mjs';

function typedNameFault(name: string): string {
  const suggested = suggestTypedName(name) ?? 'count_stock';
  return `Cannot create a typed skill named "${toOneLine(name, 80)}": use 1 to 64 lowercase letters a-z, digits and _, beginning with a letter; for example ${suggested}`;
}

function trying(write: () => void): Result<undefined, string> {
  try {
    write();
    return ok(undefined);
  } catch (error) {
    const code = codeOf(error);
    // Without a code it does not come from the system: a fault of ours.
    if (code === undefined) throw error;
    return fail(REASONS[code] ?? `it cannot be written (${code})`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it already exists; choose another name, or edit the existing one',
  EACCES: 'permission denied; choose another folder',
  ENOENT: 'no folder can be made there; choose another one',
  EPERM: 'permission denied; choose another folder',
  EROFS: 'the disk is read-only; choose another folder',
  ENOSPC: 'the disk is full; free some space, or choose another folder',
  ENOTDIR: 'a part of the path is a file, not a folder; choose another folder',
};

const quoted = (path: string, { environment }: CommandContext): string =>
  `"${toOneLine(toDisplayPath(path, environment))}"`;

const refuse = (context: CommandContext, name: string, path: string, reason: string): ExitCode =>
  exitSaying(context, `Cannot create the skill "${name}" in ${quoted(path, context)}: ${reason}`, 1);

function report(context: CommandContext, made: Made): void {
  const { flags, output, environment } = context;
  if (!flags.has('json')) {
    output.write(renderMade(made, toDisplayPath(made.path, environment), output));
    return;
  }
  const { name, kind, path, next } = made;
  output.write(toJsonText({ name, kind, path, next: next.flatMap(({ command }) => command ?? []) }));
}

export function renderMade({ name, next }: Made, path: string, { paint, columns }: Layout): string {
  const lines = next.flatMap(({ text, command }, index) => [
    ...hangingText(`  ${index + 1}. `, text, columns),
    // Whole: it is to be copied.
    ...(command === undefined ? [] : [`     ${paint.cyan(toOneLine(command))}`]),
  ]);
  return [`${paint.bold(name)} is ready to edit:`, `  ${toOneLine(path)}`, '', paint.bold('Next'), ...lines, ''].join(
    '\n',
  );
}
