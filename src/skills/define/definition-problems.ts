// The rules for a typed skill's definition (X1), each with the field that it is about. Schemas are looked at elsewhere.
import { type AnySkill, CATEGORIES, KNOWN_AGENTS } from './define-skill.ts';
import { FAILURE_CODES, isFailureCode } from './failure.ts';
import { MAX_DURABLE_SECONDS } from './registered-skill.ts';

/**
 * Why a definition was refused: the skill, the field, what is the case, what to do.
 *
 * @example
 * const own = createRuntime({ skills: [{ ...greet, timeoutSeconds: 1_000 }] });
 * for (const { message, fix } of own.problems) console.log(message, fix);
 */
export interface DefinitionProblem {
  /** The skill's name as it was given; `(unnamed)` when there is none. */
  readonly skill: string;
  /** In the JSON form: `timeout_seconds`. */
  readonly field: string;
  readonly message: string;
  readonly fix: string;
}

export interface RegistrationRules {
  /** Names that are taken by tools. */
  readonly reserved: ReadonlySet<string>;
  /** Names of skills that come with the program, also of those that are not served; absent: they are not known. */
  readonly replaceable?: ReadonlySet<string> | undefined;
  /** Those of them that are served. */
  readonly builtinNames?: ReadonlySet<string>;
  /** Agents from the configuration, beside the known ones. */
  readonly agents: readonly string[];
}

/** What is wrong with one field: what is the case, and what to do. `written`: its name in the definition, where that is not clear. */
export type Fault = readonly [field: string, what: string, fix: string, written?: string];

export function problemOf(
  skill: { readonly name?: unknown },
  [field, what, fix, written = WRITTEN.get(field) ?? field]: Fault,
): DefinitionProblem {
  const name = typeof skill.name === 'string' && skill.name !== '' ? skill.name.slice(0, 80) : '(unnamed)';
  return { skill: name, field, message: `Cannot register skill ${JSON.stringify(name)}: ${written} ${what}`, fix };
}

/** Fields whose JSON form has another name, and what stands in a definition: there an author looks for it. */
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ['assigned_to', 'assignedTo'],
  ['input_schema', 'input'],
  ['output_schema', 'output'],
  ['success_criteria', 'successCriteria'],
  ['failure_modes', 'failureModes'],
  ['timeout_seconds', 'timeoutSeconds'],
]);

export function findFaults(skill: AnySkill, rules: RegistrationRules): readonly Fault[] {
  return [
    ...unknownFieldFaults(skill),
    ...nameFaults(skill, rules),
    ...replacesFaults(skill, rules),
    ...descriptionFaults(skill),
    ...categoryFaults(skill),
    ...assignedFaults(skill, rules),
    ...failureModeFaults(skill),
    ...timeoutFaults(skill),
    ...durableFaults(skill),
    ...approvalFaults(skill),
    ...limitFaults(skill),
    ...annotationFaults(skill),
    ...criteriaFaults(skill),
    ...stepsFaults(skill),
    ...isolationFaults(skill),
    ...bodyFaults(skill),
  ];
}

const MAX_NAME = 64;
const MAX_DESCRIPTION = 500;
const MAX_SECONDS = 300;
const MAX_ATTEMPTS = 20;
const MAX_BACKOFF_SECONDS = 3_600;

const FIELDS: readonly string[] = [
  ...['name', 'description', 'category', 'assignedTo', 'input', 'output', 'successCriteria', 'failureModes'],
  ...['timeoutSeconds', 'limits', 'annotations', 'userField', 'stepsIn', 'isolation', 'run', 'module', 'exportName'],
  ...['environment', 'replaces', 'durable', 'approval'],
];

/** A mistyped option must not be ignored silently. */
const unknownFieldFaults = (skill: AnySkill): readonly Fault[] =>
  Object.keys(skill)
    .filter((field) => !FIELDS.includes(field))
    .map((field): Fault => {
      const meant = WRITTEN.get(field);
      const fix = meant === undefined ? `Remove it, or use one of ${FIELDS.join(', ')}.` : `Write ${meant}.`;
      const shown = field.slice(0, 80);
      return [shown, 'is not a known field', fix, shown];
    });

function nameFaults(skill: AnySkill, rules: RegistrationRules): readonly Fault[] {
  const { name } = skill;
  if (typeof name !== 'string' || !/^[a-z][a-z0-9_]*$/.test(name)) {
    return [['name', 'is not snake_case', 'Use lower-case letters, digits and underscores, a letter first.']];
  }
  if (name.length > MAX_NAME) return [['name', `has ${name.length} characters`, `Use at most ${MAX_NAME} characters.`]];
  if (rules.reserved.has(name)) return [['name', 'is the name of another tool', 'Choose another name.']];
  if (skill.replaces === true || !isBuiltin(name, rules)) return [];
  const fix = 'Choose another name, or write replaces: true to serve this one in its place.';
  return [['name', 'is that of a built-in skill', fix]];
}

const isBuiltin = (name: string, { replaceable, builtinNames }: RegistrationRules): boolean =>
  Boolean(replaceable?.has(name) || builtinNames?.has(name));

/** One that replaces nothing has a mistyped name: the built-in skill would still be served. */
function replacesFaults({ name, replaces }: AnySkill, rules: RegistrationRules): readonly Fault[] {
  if (replaces !== undefined && typeof replaces !== 'boolean') {
    return [['replaces', `is ${quoted(replaces)}`, 'Write true, or leave it out.']];
  }
  if (replaces !== true || rules.replaceable === undefined || isBuiltin(name, rules)) return [];
  const fix = 'Remove it, or use the name of a built-in skill.';
  return [['replaces', 'is true, but no built-in skill has this name', fix]];
}

function descriptionFaults({ description }: AnySkill): readonly Fault[] {
  if (typeof description !== 'string') {
    return [['description', 'is missing', 'Say in a sentence what the skill does.']];
  }
  // What hosts show must not steer their terminals.
  if (/[\0-\x08\x0b-\x1f\x7f-\x9f\p{Surrogate}]/u.test(description)) {
    return [['description', 'has control characters', 'Remove them.']];
  }
  const length = [...description].length;
  if (length <= MAX_DESCRIPTION) return [];
  return [['description', `has ${length} characters`, `Use at most ${MAX_DESCRIPTION} characters.`]];
}

function categoryFaults({ category }: AnySkill): readonly Fault[] {
  if (CATEGORIES.includes(category)) return [];
  return [['category', `is ${quoted(category)}`, `Use one of ${CATEGORIES.join(', ')}.`]];
}

function assignedFaults({ assignedTo = [] }: AnySkill, { agents }: RegistrationRules): readonly Fault[] {
  const fix = 'Name a known agent, or add this one to the configuration.';
  if (!Array.isArray(assignedTo)) return [['assigned_to', 'is not a list', fix]];
  const known: readonly unknown[] = [...KNOWN_AGENTS, ...agents];
  const unknown = assignedTo.filter((agent) => !known.includes(agent));
  return unknown.map((agent): Fault => ['assigned_to', `names the unknown agent ${quoted(agent)}`, fix]);
}

function failureModeFaults({ failureModes = [] }: AnySkill): readonly Fault[] {
  const fix = `Use codes of ${FAILURE_CODES.join(', ')}.`;
  if (!Array.isArray(failureModes)) return [['failure_modes', 'is not a list', fix]];
  const unknown = failureModes.filter((code) => !isFailureCode(code));
  return unknown.map((code): Fault => ['failure_modes', `names the unknown code ${quoted(code)}`, fix]);
}

function timeoutFaults({ timeoutSeconds = 1, durable, approval }: AnySkill): readonly Fault[] {
  const most = durable === undefined && approval === undefined ? MAX_SECONDS : MAX_DURABLE_SECONDS;
  if (Number.isInteger(timeoutSeconds) && timeoutSeconds >= 1 && timeoutSeconds <= most) return [];
  const fix = `Use a whole number from 1 to ${most}${most === MAX_SECONDS ? `; with durable up to ${MAX_DURABLE_SECONDS}` : ''}.`;
  return [['timeout_seconds', `is ${quoted(timeoutSeconds)}`, fix]];
}

function durableFaults({ durable = {} }: AnySkill): readonly Fault[] {
  const fix = `Write { idempotent: true, attempts: 5, backoffSeconds: 10 }, or any of the three.`;
  if (typeof durable !== 'object' || durable === null || Array.isArray(durable)) {
    return [['durable', `is ${quoted(durable)}`, fix]];
  }
  const { idempotent = false, attempts = 1, backoffSeconds = 0, resumes = false, ...others } = durable;
  const faults = Object.keys(others).map((name): Fault => ['durable', `has the unknown entry ${quoted(name)}`, fix]);
  if (typeof resumes !== 'boolean') faults.push(['durable', 'has a resumes that is not true or false', fix]);
  else if (resumes && (durable.idempotent !== undefined || durable.attempts !== undefined)) {
    faults.push(['durable', 'says resumes beside idempotent or attempts', 'Leave the others out: a failure is final.']);
  }
  if (typeof idempotent !== 'boolean') faults.push(['durable', 'has an idempotent that is not true or false', fix]);
  if (!Number.isInteger(attempts) || attempts < 1 || attempts > MAX_ATTEMPTS) {
    faults.push(['durable', `has attempts of ${quoted(attempts)}`, `Use a whole number from 1 to ${MAX_ATTEMPTS}.`]);
  } else if (attempts > 1 && idempotent !== true) {
    const why = 'Write idempotent: true if a second run does no harm, or leave attempts out.';
    faults.push(['durable', `has ${attempts} attempts, but does not say idempotent: true`, why]);
  }
  if (typeof backoffSeconds !== 'number' || !(backoffSeconds >= 0 && backoffSeconds <= MAX_BACKOFF_SECONDS)) {
    const seconds = `Use a number from 0 to ${MAX_BACKOFF_SECONDS}.`;
    faults.push(['durable', `has backoffSeconds of ${quoted(backoffSeconds)}`, seconds]);
  }
  return faults;
}

function approvalFaults({ approval }: AnySkill): readonly Fault[] {
  if (approval === undefined || approval === 'required') return [];
  return [['approval', `is ${quoted(approval)}`, 'Write "required", or leave it out.']];
}

function limitFaults({ limits = {} }: AnySkill): readonly Fault[] {
  const fix = 'Write { perMinute: 60, atOnce: 4 }, or one of the two; whole numbers from 1.';
  if (typeof limits !== 'object' || limits === null) return [['limits', `is ${quoted(limits)}`, fix]];
  const { perMinute = 1, atOnce = 1, ...others } = limits;
  const strangers = Object.keys(others).map((name): Fault => ['limits', `has the unknown entry ${quoted(name)}`, fix]);
  const wrong = [perMinute, atOnce].some((limit) => !Number.isInteger(limit) || limit < 1);
  return wrong ? [...strangers, ['limits', 'has a value that is not a whole number above 0', fix]] : strangers;
}

function annotationFaults({ annotations = {} }: AnySkill): readonly Fault[] {
  const fix = 'Write { readOnly: true }, or any of readOnly, destructive and openWorld; each true or false.';
  if (typeof annotations !== 'object' || annotations === null) {
    return [['annotations', `is ${quoted(annotations)}`, fix]];
  }
  const { readOnly, destructive, openWorld, ...others } = annotations;
  const strangers = Object.keys(others).map((name): Fault => {
    return ['annotations', `has the unknown entry ${quoted(name)}`, fix];
  });
  const wrong = [readOnly, destructive, openWorld].some((hint) => hint !== undefined && typeof hint !== 'boolean');
  if (wrong) return [...strangers, ['annotations', 'has a value that is not true or false', fix]];
  if (!readOnly || !destructive) return strangers;
  return [...strangers, ['annotations', 'says readOnly and destructive', 'Leave one of the two out.']];
}

/** `properties`: those of the input's published schema; absent when it has none that could be read. */
export function userFieldFaults({ userField }: AnySkill, properties: object | undefined): readonly Fault[] {
  if (userField === undefined) return [];
  if (typeof userField !== 'string') {
    return [['userField', `is ${quoted(userField)}`, 'Give the name of an input field, as text.']];
  }
  if (properties === undefined || Object.hasOwn(properties, userField)) return [];
  return [['userField', `names ${quoted(userField)}, which the input does not have`, 'Name a field of the input.']];
}

function stepsFaults({ stepsIn }: AnySkill): readonly Fault[] {
  if (stepsIn === undefined || typeof stepsIn === 'function') return [];
  return [['stepsIn', 'is not a function', 'Give a function from the input to a list of { skill, input, at }.']];
}

function criteriaFaults({ successCriteria = [] }: AnySkill): readonly Fault[] {
  const isText = (text: unknown) => typeof text === 'string' && text.length <= MAX_DESCRIPTION;
  if (Array.isArray(successCriteria) && successCriteria.every(isText)) return [];
  return [['success_criteria', 'is not a list of texts', `Give texts of at most ${MAX_DESCRIPTION} characters.`]];
}

/** What is not understood here would leave a skill without the process that its author counts on. */
function isolationFaults(skill: AnySkill): readonly Fault[] {
  const { isolation = 'none' }: { readonly isolation?: unknown } = skill;
  if (isolation === 'worker') return [];
  if (isolation !== 'none') return [['isolation', `is ${quoted(isolation)}`, 'Use "none" or "worker".']];
  const given = skill as { readonly [field in (typeof OF_WORKERS)[number]]?: unknown };
  const idle = OF_WORKERS.filter((field) => given[field] !== undefined);
  return idle.map((field): Fault => [field, 'is given, but the skill runs in no worker', 'Add isolation: "worker".']);
}

const OF_WORKERS = ['module', 'exportName', 'environment'] as const;

function bodyFaults(skill: AnySkill): readonly Fault[] {
  if (skill.isolation === 'worker') {
    const { module, exportName, environment } = skill;
    return [...moduleFaults(module), ...exportFaults(exportName), ...environmentFaults(environment)];
  }
  return typeof skill.run === 'function' ? [] : [['run', 'is not a function', 'Give the function that does the work.']];
}

function exportFaults(exportName: unknown): readonly Fault[] {
  if (exportName === undefined || (typeof exportName === 'string' && exportName !== '')) return [];
  return [['exportName', `is ${quoted(exportName)}`, 'Give the name of the function that the module exports.']];
}

function environmentFaults(environment: unknown = []): readonly Fault[] {
  const isName = (name: unknown) => typeof name === 'string' && /^\w+$/.test(name);
  if (Array.isArray(environment) && environment.every(isName)) return [];
  return [['environment', 'is not a list of names', 'Name the environment variables: ["SERVICE_KEY"].']];
}

function moduleFaults(module: unknown): readonly Fault[] {
  const fix = 'Give the URL of a .js or .mjs file: new URL("./name.js", import.meta.url).';
  if (!(module instanceof URL) || module.protocol !== 'file:') return [['module', 'is not the URL of a file', fix]];
  if (/\.m?js$/.test(module.pathname) || (module.pathname.endsWith('.ts') && runsTypeScript())) return [];
  return [['module', 'is not JavaScript, and this Node cannot run it in a worker', fix]];
}

/** From Node 22.18 on types are erased by Node itself. Older ones have no such feature. */
const runsTypeScript = (): boolean => Boolean((process.features as { readonly typescript?: unknown }).typescript);

const quoted = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 80);
