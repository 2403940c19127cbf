// The phrases of prompt injection, shared by the rules for visible text and for comments. Every repetition is bounded.
import type { FindingSeverity } from './finding.ts';

export interface OverridePhrase {
  readonly pattern: RegExp;
  readonly severity: FindingSeverity;
  readonly message: string;
  readonly fix: string;
}

const s = '\\s{1,4}';
const person = `(?:the|your|any)${s}(?:users?|humans?|operators?|developers?|person)`;

const discarding = new RegExp(
  `\\b(?:ignore|disregard|forget|override|bypass)${s}(?:(?:all|any|every|each|of|the|your|my|these|those|and)${s}){0,4}` +
    `(?:(?:previous|prior|above|earlier|preceding|original|system|developer|safety|other)(?:${s}(?:and|or|,)${s}\\w{1,12})?${s}` +
    `(?:instructions?|prompts?|directives?|guardrails|safety${s}\\w{1,12})|system${s}prompts?|(?:safety|system)${s}(?:rules|guidelines|policies)` +
    `|instructions${s}(?:above|so${s}far|you${s}(?:were|have${s}been)${s}given))\\b`,
  'gi',
);

// "Do not tell the user to …" and "… that the tests pass" are ordinary guidance: only concealment counts.
const concealing = new RegExp(
  `\\b(?:do${s}not|don['’]t|never)${s}(?:tell|inform|notify|alert|warn)${s}${person}(?:${s}(?:about|of)${s}(?:this|it|these|that|what|any)\\b` +
    `|${s}(?:anything|what${s}you|that${s}you${s}(?:did|have|ran|are|were|sent|read|copied|uploaded)|why${s}you)\\b|(?=\\s{0,2}(?:[.!;]|$)))` +
    `|\\b(?:do${s}not|don['’]t|never)${s}(?:mention|reveal|disclose|show|report)${s}(?:any${s}of${s})?(?:this|these|it)(?:${s}\\w{1,20}){0,2}${s}to${s}${person}` +
    `|\\b(?:hide|keep|conceal)${s}(?:this|these|it|that)(?:${s}\\w{1,20}){0,2}${s}from${s}${person}` +
    `|\\bwithout${s}(?:telling|informing|notifying|alerting)${s}${person}` +
    `|\\bwithout${s}(?:the|your)${s}(?:user|human|operator)(?:['’]s${s}(?:knowledge|awareness)|${s}(?:knowing|noticing))\\b`,
  'gi',
);

const unbinding = new RegExp(
  `\\byou${s}are${s}(?:now${s}(?:in${s})?(?:DAN|developer${s}mode|unrestricted|jailbroken|free${s}of)|no${s}longer${s}bound${s}by)\\b` +
    `|\\b(?:reveal|print|output|repeat|leak)${s}your${s}(?:full${s}|entire${s}|hidden${s})?system${s}prompt\\b`,
  'gi',
);

export const overridePhrases: readonly OverridePhrase[] = [
  {
    pattern: discarding,
    severity: 'high',
    message: 'The text tells the agent to discard the instructions it was given.',
    fix: 'Remove the sentence; if it is an example, put it in quotation marks or a code block.',
  },
  {
    pattern: concealing,
    severity: 'high',
    message: 'The text tells the agent to keep something from its user.',
    fix: 'Remove the sentence: a skill has no business behind the back of the user.',
  },
  {
    pattern: unbinding,
    severity: 'medium',
    message: 'The text tries to change what the agent is or to draw out its system prompt.',
    fix: 'Remove the sentence; if it is an example, put it in quotation marks or a code block.',
  },
];
