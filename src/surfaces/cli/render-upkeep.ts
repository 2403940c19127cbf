// What upkeep found, for people by kind, and for programs a line each. Pure.
import type { UpkeepReport } from '../../operations/upkeep.ts';
import { counted, grouped } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { UPKEEP_RULES, type UpkeepFinding, type UpkeepRule } from '../../upkeep/upkeep.ts';
import type { Layout } from './terminal/output.ts';
import { tabLines } from './terminal/table.ts';
import { hangingText, joinSections } from './terminal/text-layout.ts';

const HEADINGS = {
  'near-duplicate': 'Nearly the same',
  'shown-twice': 'Shown to hosts that have them',
  'never-found': 'Never found',
  'never-used': 'Never used',
  'too-long': 'Too long',
} as const satisfies Record<UpkeepRule, string>;

/** Of one kind; --json has all. */
const MOST_SHOWN = 20;
/** Prose wider than this is hard to read. */
const WIDEST = 100;

/** `lineOf`: a command as a person types it here. */
type LineOf = (words: readonly string[]) => string;

export function renderUpkeep(report: UpkeepReport, lineOf: LineOf, layout: Layout): string {
  const ofRule = (rule: UpkeepRule) => report.findings.filter((each) => each.rule === rule);
  const sections = UPKEEP_RULES.map((rule) => sectionOf(ofRule(rule), lineOf, layout));
  return joinSections([...sections, [summaryLine(report, layout)]]);
}

function sectionOf(findings: readonly UpkeepFinding[], lineOf: LineOf, { paint, columns }: Layout): readonly string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const width = Math.min(columns, WIDEST);
  const more = findings.length - MOST_SHOWN;
  return [
    `${paint.bold(HEADINGS[first.rule])} ${paint.dim(String(findings.length))}`,
    ...findings.slice(0, MOST_SHOWN).flatMap(({ message, fix, command }, index) => [
      ...hangingText('  · ', toOneLine(message, 400), width),
      // The same for all of a kind: said once.
      ...(index > 0 && fix === findings[index - 1]?.fix
        ? []
        : hangingText(`    ${paint.green('→')} `, toOneLine(fix), width)),
      ...(command === undefined ? [] : [`      ${paint.dim(toOneLine(lineOf(command), 300))}`]),
    ]),
    ...(more > 0 ? [`  · ${grouped(more)} more: --json shows all`] : []),
  ];
}

function summaryLine({ skills, findings, hasUses, window }: UpkeepReport, { paint }: Layout): string {
  const looked = `${counted(skills, 'skill')} looked at`;
  if (skills === 0) return paint.yellow(looked);
  const period = hasUses ? `, uses of the last ${window}` : '';
  if (findings.length === 0) return paint.green(`${looked}${period}: nothing to do`);
  return paint.bold(`${looked}${period}: ${counted(findings.length, 'finding')}`);
}

/** For programs: rule, skill, the others with commas between, tokens, uses, message, fix. */
export const upkeepLines = ({ findings }: UpkeepReport): string =>
  tabLines(
    findings.map(({ rule, skill, others, message, fix }) => [
      rule,
      skill.name,
      others.map(({ name }) => name).join(','),
      skill.tokens,
      skill.uses,
      message,
      fix,
    ]),
  );
