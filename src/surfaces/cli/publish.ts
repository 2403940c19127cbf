// `repertoire publish`: folders become versions of skills of the library (L1).
import type { Skill } from '../../catalog/view/skill.ts';
import { putVersion } from '../../operations/library.ts';
import type { LibraryVersionJson } from '../../operations/library-json.ts';
import { ask, refusalText } from '../../operations/operation.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { readSkillFolder } from './library-folder.ts';
import { openCatalogOnce } from './open-catalog-once.ts';
import { type Store, withStore } from './open-store.ts';
import { LOCALLY } from './rights-options.ts';
import { exitSaying, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const { operands, values } = context;
  const [message = ''] = values.get('message') ?? [];
  if (operands.length === 0) return exitSaying(context, 'Command "publish" needs a DIR: the folder of a skill', 2);
  if (message.trim() === '')
    return exitSaying(context, 'Command "publish" needs --message TEXT: what the version changes, and why', 2);
  return withStore(context, (store) => publishAll(store, message, context));
}

/** One bad folder does not hold up the others. */
async function publishAll(store: Store, message: string, context: CommandContext): Promise<ExitCode> {
  const versions: LibraryVersionJson[] = [];
  const shadowed: { readonly name: string; readonly by: string }[] = [];
  const findBefore = openFolders(context);
  let isWhole = true;
  for (const directory of context.operands) {
    const read = readSkillFolder(directory, context.environment.workingDirectory);
    const made = read.ok
      ? await ask(putVersion, { ...read.value, message }, LOCALLY, { library: store.library })
      : undefined;
    if (made?.ok) {
      versions.push(made.value.version);
      const before = made.value.version.current ? await findBefore(made.value.version.name) : undefined;
      if (before !== undefined) shadowed.push({ name: made.value.version.name, by: before });
      if (made.value.version.state === 'rejected') {
        isWhole = false;
        saySentence(context.errors, rejectedText(directory, made.value.version));
      } else if (!context.flags.has('json')) sayMade(made.value, before, context);
    } else {
      isWhole = false;
      const sentence = read.ok
        ? `Cannot publish "${toOneLine(directory)}": ${made === undefined ? '' : refusalText(made.failure)}`
        : read.failure;
      saySentence(context.errors, sentence);
    }
  }
  if (context.flags.has('json')) context.output.write(toJsonText({ versions, shadowed }));
  return isWhole ? 0 : 1;
}

interface MadeJson {
  readonly version: LibraryVersionJson;
  readonly created: boolean;
}

/** Folders come before the library: answers where the skill lies that a server which is started here serves instead. */
function openFolders(context: CommandContext): (name: string) => Promise<string | undefined> {
  let folders: Promise<readonly Skill[]> | undefined;
  const scan = async () => {
    const catalog = await openCatalogOnce(context, { saysItself: true });
    catalog.close();
    return catalog.current.skills;
  };
  return async (name) => {
    folders ??= scan();
    const first = (await folders).find((skill) => !skill.isUnnamed && skill.name === name);
    return first && [first.source, ...first.segments].join('/');
  };
}

/** The same files stay what they were decided to be (L2). */
const rejectedText = (directory: string, { name, digest, number, decision }: LibraryVersionJson): string =>
  `Cannot publish "${toOneLine(directory)}": these files are version ${number} of "${name}", which ` +
  `${decision?.message ? `was rejected (${toOneLine(decision.message, 200)})` : 'was rejected'}; change them, or delete that ` +
  `version first: review delete ${name}@${digest.slice('sha256:'.length, SHOWN_TO)}`;

const SHOWN_TO = 'sha256:'.length + 12;

function sayMade({ version, created }: MadeJson, before: string | undefined, { output }: CommandContext): void {
  const { name, digest, state, current } = version;
  const served =
    before === undefined
      ? 'is served now'
      : `is current, but ${toOneLine(before, 300)} comes first: a server started here does not serve it`;
  const what = current ? served : state === 'proposed' ? 'waits for review' : `is ${state}`;
  output.write(`${name}@${digest} ${what}${created ? '' : ' (the same files as before)'}\n`);
}
