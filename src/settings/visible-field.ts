// What is wrong with `visible` of a configuration: told by the place of the entry. A bad one is not left out, because the skills that
// it is about would be served to everyone (N4). Pure.
import { toOneLine } from '../text/one-line.ts';
import { type FieldRule, isPlainObject, kindOf, listOfTexts, textValue } from '../values/field-rules.ts';

const FIX = 'Write { root: "./skills", roles: ["BillingAgent"] }, or source, library: true or names in place of root.';

export function findVisibleProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return `is not a list. Write [{ root: "./skills", roles: ["BillingAgent"] }].`;
  for (const [at, entry] of value.entries()) {
    const problem = findEntryProblem(entry);
    if (problem !== undefined) return `has an entry ${at + 1} that ${problem}`;
  }
  return undefined;
}

/** What an entry may be about, exactly one. */
const ABOUT = {
  root: textValue,
  source: textValue,
  library: (value) => (value === true ? undefined : 'is not true. Write library: true.'),
  names: (value) =>
    Array.isArray(value) && value.length > 0 ? listOfTexts(value) : 'is not a list of names. Write ["one", "two"].',
} as const satisfies Record<string, FieldRule>;

function findEntryProblem(entry: unknown): string | undefined {
  if (!isPlainObject(entry)) return `is ${kindOf(entry)}. ${FIX}`;
  const { roles, ...about } = entry;
  const given = Object.keys(about);
  const stranger = given.find((field) => !Object.hasOwn(ABOUT, field));
  if (stranger !== undefined) return `has the unknown field "${toOneLine(stranger, 80)}". ${FIX}`;
  if (given.length !== 1) return `says ${given.length === 0 ? 'of no skill' : 'twice'} what it is about. ${FIX}`;
  const [field = ''] = given;
  const problem = new Map<string, FieldRule>(Object.entries(ABOUT)).get(field)?.(about[field]);
  return problem === undefined ? findRolesProblem(roles) : `has a field "${field}" that ${problem}`;
}

/** As agents and people may be given one; `*` is none that documents could be for. */
const ROLE = /^[\w.-]{1,64}$/;

function findRolesProblem(roles: unknown): string | undefined {
  if (!Array.isArray(roles))
    return 'has no list of roles. Write roles: ["BillingAgent"], or roles: [] for the operator alone.';
  const bad = roles.find((role) => typeof role !== 'string' || !ROLE.test(role));
  if (bad === undefined) return undefined;
  const shown = typeof bad === 'string' ? `"${toOneLine(bad, 80)}"` : kindOf(bad);
  const why = bad === '*' ? ', which opens typed skills and no documents' : '';
  return `has the role ${shown}${why}. Name roles of agents or people, or write roles: [] for the operator alone.`;
}
