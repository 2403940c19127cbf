// `repertoire export`: a version of a skill of the library as a folder (L1).
import { resolve } from 'node:path';
import { isValidName } from '../../document/validate.ts';
import type { Version } from '../../library/library.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { writeSkillFolder } from './library-folder.ts';
import { findNamedVersion, parseVersionName } from './library-version.ts';
import { type Store, withStore } from './open-store.ts';
import { exitSaying, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const [given, directory] = context.operands;
  if (given === undefined || directory === undefined)
    return exitSaying(
      context,
      'Command "export" needs a NAME and a DIR: for example repertoire export refunds ./skills',
      2,
    );
  return withStore(context, (store) => exportSkill(store, given, directory, context));
}

async function exportSkill(
  { library }: Store,
  given: string,
  directory: string,
  context: CommandContext,
): Promise<ExitCode> {
  const { name, digest } = parseVersionName(given);
  const versions = await library.versions(name);
  const version =
    digest === undefined ? versions.find(({ isCurrent }) => isCurrent) : findNamedVersion(versions, digest);
  if (version === undefined || !isValidName(name)) {
    const why =
      versions.length === 0
        ? 'the library has no such skill'
        : 'no such version of it is there, or none is current; name one with NAME@DIGEST';
    return exitSaying(context, `Cannot export "${toOneLine(given, 120)}": ${why}`, 1);
  }
  return write(
    version,
    await library.readFiles(version.files),
    resolve(context.environment.workingDirectory, directory, name),
    context,
  );
}

function write(
  version: Version,
  bytes: ReadonlyMap<string, Buffer>,
  directory: string,
  context: CommandContext,
): ExitCode {
  const files = version.files.flatMap(({ path, sha256, executable }) => {
    const found = bytes.get(sha256);
    return found === undefined ? [] : [{ path, bytes: found, executable }];
  });
  if (files.length < version.files.length)
    return exitSaying(context, `Cannot export "${version.name}": the store does not have all of its bytes`, 1);
  const written = writeSkillFolder(directory, files);
  if (!written.ok) return exitSaying(context, written.failure, 1);
  const { name, digest } = version;
  if (context.flags.has('json')) context.output.write(toJsonText({ name, digest, directory, files: files.length }));
  else saySentence(context.errors, `Exported ${name}@${digest} to ${toOneLine(directory)}.`);
  return 0;
}
