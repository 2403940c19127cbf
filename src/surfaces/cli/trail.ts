// `repertoire trail`: who changed what, and the head to keep elsewhere; with --verify whether it is as it was written (L5).
import {
  EMPTY_HEAD,
  headText,
  parseHead,
  type TrailHead,
  type TrailPage,
  type TrailReport,
} from '../../identity/trail.ts';
import { trailJson } from '../../operations/trail.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine } from './hint-line.ts';
import { findDataFault, isStoreThere, type Store, withStore } from './open-store.ts';
import { renderTrail, trailLines } from './render-trail.ts';
import { exitSaying, saySentence } from './terminal/output.ts';
import { startProgress } from './terminal/progress.ts';
import { toJsonText } from './terminal/safe-text.ts';

const USUAL_LIMIT = 20;

export async function run(context: CommandContext): Promise<ExitCode> {
  const kept = readKeptHead(context);
  if (!kept.ok) return exitSaying(context, kept.failure, 2);
  const fault = findDataFault(context, 'trail');
  if (fault !== undefined) return exitSaying(context, fault, 1);
  return withStore(context, (store) =>
    context.flags.has('verify') ? verify(store, kept.value, context) : show(store, context),
  );
}

/** The failure is a sentence about wrong usage. */
function readKeptHead({ flags, values }: CommandContext): Result<TrailHead | undefined, string> {
  const isVerifying = flags.has('verify');
  const surplus = isVerifying ? (['limit', 'cursor'] as const).find((name) => values.has(name)) : undefined;
  if (surplus !== undefined) return fail(`Option --${surplus} cannot be combined with --verify: leave one of them out`);
  const [given] = values.get('head') ?? [];
  if (given === undefined) return ok(undefined);
  if (!isVerifying) return fail('Option --head works only with --verify: add it, or leave --head out');
  const head = parseHead(given);
  if (head !== undefined) return ok(head);
  return fail(`Option --head cannot be "${toOneLine(given, 80)}": use SEQ:HASH, as \`repertoire trail\` prints it`);
}

async function show(store: Store, context: CommandContext): Promise<ExitCode> {
  const { flags, output, settings } = context;
  const page = isStoreThere(settings) ? await readPage(store, context) : NOTHING;
  if (flags.has('json')) output.write(toJsonText(trailJson(page)));
  else if (output.isTerminal) output.write(renderTrail(page, output));
  else output.write(trailLines(page));
  if (!flags.has('json')) sayMore(page, context);
  return 0;
}

const NOTHING: TrailPage = { head: EMPTY_HEAD, entries: [], nextCursor: undefined };

const readPage = ({ trail }: Store, { values }: CommandContext): Promise<TrailPage> => {
  const [cursor] = values.get('cursor') ?? [];
  return trail.list({
    limit: Number(values.get('limit')?.[0] ?? USUAL_LIMIT),
    ...(cursor !== undefined && { cursor }),
  });
};

function sayMore({ head, nextCursor }: TrailPage, context: CommandContext): void {
  const { output, errors } = context;
  if (head.seq === 0)
    saySentence(
      errors,
      `No entries yet: an agent that is added or revoked is one; try ${hintLine(context, ['agent', 'add', 'NAME'])}`,
    );
  else if (nextCursor !== undefined && output.isTerminal)
    errors.write(`${errors.paint.dim(`For older entries, run the same command with --cursor ${nextCursor}`)}\n`);
}

async function verify(store: Store, head: TrailHead | undefined, context: CommandContext): Promise<ExitCode> {
  const { flags, output, errors, settings } = context;
  const progress = startProgress(errors, Date.now);
  const onProgress = (done: number, all: number) => progress.update(`Verified ${done} of ${all} entries`);
  // Without a database nothing was entered; looking for one must not create it.
  const report = isStoreThere(settings)
    ? await store.trail.verify({ head, onProgress }).finally(progress.end)
    : reportOfNothing(head);
  if (flags.has('json')) output.write(toJsonText(reportJson(report)));
  else if (report.fault === undefined) output.write(`${wholeText(report)}\n`);
  else saySentence(errors, `The trail is broken. ${report.fault.message}. ${untilText(report)}`);
  return report.fault === undefined ? 0 : 1;
}

const reportOfNothing = (kept: TrailHead = EMPTY_HEAD): TrailReport => ({
  entries: 0,
  head: EMPTY_HEAD,
  fault:
    kept.seq === 0
      ? undefined
      : {
          seq: 1,
          kind: 'truncated',
          message: 'There is no trail in this store: every entry was removed, or it is another store',
        },
});

const reportJson = ({ entries, head, fault }: TrailReport) => ({
  unbroken: fault === undefined,
  entries,
  head: headText(head),
  fault: fault ?? null,
});

const wholeText = ({ entries, head }: TrailReport): string =>
  `${counted(entries, 'entry', 'entries')}, unbroken, head ${headText(head)}`;

const untilText = ({ entries }: TrailReport): string =>
  entries === 0
    ? 'No entry before it was verified'
    : entries === 1
      ? 'The entry before that is as it was written'
      : `The ${counted(entries, 'entry', 'entries')} before that are as they were written`;
