// What one scanned folder means: a skill to serve, a folder that can be asked for by name, problems to report. Pure.
import { EXAMPLE_NAME, MAX_FRONTMATTER_BYTES } from '../../document/frontmatter.ts';
import type { Issue } from '../../document/issue.ts';
import { nameIssues, normaliseName } from '../../document/names.ts';
import { priorityOf } from '../../document/priority.ts';
import { firstWords, type SkillDocument } from '../../document/skill-document.ts';
import { skillUri } from '../../document/skill-uri.ts';
import { type Folder, joinRelative } from '../scan/folder.ts';
import { ofLibrary, tamperedText } from '../scan/pinned.ts';
import type { Root } from '../scan/root.ts';
import { ruleIssues } from '../scan/rule-issues.ts';
import {
  MAX_SKILL_FILE_BYTES,
  type SkillFile,
  type SkillFileFailure,
  type SkillText,
  sizeOf,
} from '../scan/skill-file.ts';
import type { Problem, Skill } from './skill.ts';

/**
 * Why `get_skill` by folder name cannot serve a folder (T6).
 *
 * @example
 * const answer = catalog.current.findFolder('drafts');
 * const reason: FolderFailure | undefined = answer && 'failure' in answer ? answer.failure : undefined;
 */
export type FolderFailure = 'no-skill-file' | 'empty' | 'denied' | 'too-large' | 'invalid-utf8';

export interface FoundFolder {
  readonly name: string;
  readonly relative: string;
  readonly real: string;
  readonly depth: number;
  /** Reached through a link. */
  readonly linked: boolean;
  /** False where no skill is looked for, as in a root itself or too deep (D2): that none was found says nothing. */
  readonly searchable: boolean;
  /** Its SKILL.md is new and may still be being written: what it is called is not known yet. */
  readonly awaited: boolean;
  readonly root: Root;
  /** Served by name, by URI or both. Absent when the folder holds no named skill. */
  readonly skill: Skill | undefined;
  /** What it holds instead of a named skill: a readable SKILL.md without a usable name or description (T2). */
  readonly unnamed: Skill | undefined;
  /** The text that `get_skill` by folder name answers: any readable SKILL.md, also one without frontmatter. */
  readonly text: Pick<SkillText, 'bytes'> | undefined;
  readonly failure: FolderFailure | undefined;
  readonly problems: readonly Problem[];
}

/** `extra`: what is wrong with the skill's files, once they have been looked at. */
export function describeFolder(root: Root, folder: Folder, extra: readonly Issue[]): FoundFolder {
  const { relative, skill: file } = folder;
  const entryProblems = folder.issues.map(({ name, issue }) =>
    problemAt(root, name === '' ? relative || '.' : joinRelative(relative, name), issue),
  );
  if (file === undefined) {
    return createFound(root, folder, {}, folder.unreadable ? NOT_READABLE : NO_SKILL_FILE, entryProblems);
  }
  const answer = answerOf(file);
  const skill = file.good && createSkill(root, folder, file, file.good, extra);
  const unnamed = skill || answer.text === undefined ? undefined : findUnnamed(root, folder, file);
  const path = joinRelative(relative, file.fileName);
  const issues = [...(unnamed?.issues ?? fileIssues(file)), ...(skill?.issues ?? [])];
  const problems = [...issues.map((issue) => problemAt(root, path, nameFolder(issue, folder.name))), ...entryProblems];
  return createFound(root, folder, { skill, unnamed }, answer, problems.length > 0 ? problems : NO_PROBLEMS);
}

type Answer = Pick<FoundFolder, 'text' | 'failure'>;

interface Held {
  readonly skill?: Skill | undefined;
  readonly unnamed?: Skill | undefined;
}

/** Shared by the thousands of folders that have none. */
const NO_PROBLEMS: readonly Problem[] = [];
const NO_SKILL_FILE: Answer = { text: undefined, failure: 'no-skill-file' };
/** Whether there is a SKILL.md cannot be seen, so it is not called missing (T6). */
const NOT_READABLE: Answer = { text: undefined, failure: 'denied' };

const createFound = (
  root: Root,
  folder: Folder,
  { skill, unnamed }: Held,
  answer: Answer,
  problems: readonly Problem[],
): FoundFolder => ({
  name: folder.name,
  relative: folder.relative,
  real: folder.real,
  depth: folder.depth,
  linked: folder.links > 0,
  searchable: folder.searchable && folder.depth > 0,
  awaited: folder.skillFileName !== undefined && folder.skill === undefined,
  root,
  skill: skill && isNamedWell(skill) ? skill : undefined,
  unnamed,
  text: answer.text,
  failure: answer.failure,
  problems,
});

export const problemAt = (root: Root, path: string, issue: Issue): Problem => ({
  ...(root.isLibrary && issue.rule.startsWith('source-') ? ofLibrary(issue) : issue),
  path,
  source: root.label,
  rootPath: root.path,
});

/** An example that can be typed as it stands: with this folder's name, where that may be a skill's name. */
function nameFolder(issue: Issue, folderName: string): Issue {
  if (!issue.fix.includes(EXAMPLE_NAME) || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(folderName)) return issue;
  return { ...issue, fix: issue.fix.replaceAll(EXAMPLE_NAME, folderName) };
}

const isNamedWell = (skill: Skill): boolean => !skill.issues.some((issue) => issue.severity === 'error');

function createSkill(
  root: Root,
  folder: Folder,
  file: SkillFile,
  text: SkillText,
  extra: readonly Issue[],
): Skill | undefined {
  const { document } = text;
  if (document === undefined) return undefined;
  const issues = [
    ...text.issues,
    ...ruleIssues(document, folder.name),
    ...(sizeOf(text) > MAX_SKILL_FILE_BYTES ? [tooLargeForSome] : []),
    ...extra,
  ];
  return new FoundSkill({ root, folder, file, text, document, issues });
}

interface SkillParts {
  readonly root: Root;
  readonly folder: Folder;
  readonly file: SkillFile;
  readonly text: SkillText;
  readonly document: SkillDocument;
  readonly issues: readonly Issue[];
}

/** A class for its one accessor: a text that was remembered is read when it is asked for. */
class FoundSkill implements Skill {
  readonly name: string;
  readonly key: string;
  readonly isUnnamed = false;
  readonly description: string;
  readonly baseDirectory: string;
  readonly filePath: string;
  readonly fileName: string;
  readonly source: string;
  readonly segments: readonly string[];
  readonly isOfProject: boolean;
  readonly isShared: boolean;
  readonly isOfLibrary?: true;
  readonly isNested: boolean;
  readonly priority: number;
  readonly uri: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly lastLoaded: Date;
  readonly availability: Skill['availability'];
  readonly issues: readonly Issue[];
  readonly listable: boolean;
  readonly #text: SkillText;

  constructor({ root, folder, file, text, document, issues }: SkillParts) {
    const segments = folder.relative.split('/');
    this.name = document.name;
    this.key = normaliseName(document.name);
    this.description = document.description;
    this.baseDirectory = directoryOf(root, folder);
    this.filePath = `${this.baseDirectory}/${file.fileName}`;
    this.fileName = file.fileName;
    this.source = root.label;
    this.segments = segments;
    this.isOfProject = root.boundary !== undefined;
    this.isShared = isShared(root);
    if (root.isLibrary) this.isOfLibrary = true;
    this.isNested = folder.inside !== undefined;
    this.priority = priorityOf(document.frontmatter);
    this.uri = skillUri(segments);
    this.frontmatter = document.frontmatter;
    this.lastLoaded = text.loadedAt;
    this.availability = text === file.text && !folder.unreadable ? 'available' : 'fallback';
    this.issues = issues;
    this.listable = issues.length === 0;
    this.#text = text;
  }

  get bytes(): Buffer {
    return this.#text.bytes;
  }
}

/** A folder's own name stands for the name, so it has to be one that can be shown and asked for (D3, T6). */
function findUnnamed(root: Root, folder: Folder, { fileName, text }: SkillFile): Skill | undefined {
  const { name } = folder;
  const path = directoryOf(root, folder);
  if (text === undefined || !folder.searchable || folder.depth === 0) return undefined;
  if (name.includes('..') || nameIssues(name).length > 0) return undefined;
  const segments = folder.relative.split('/');
  let description: string | undefined;
  return {
    name,
    key: normaliseName(name),
    isUnnamed: true,
    // Looked for when it is asked for: no start has to wait for it.
    get description() {
      description ??= firstWords(text.bytes.toString('utf8', 0, MOST_DESCRIBED));
      return description;
    },
    baseDirectory: path,
    filePath: `${path}/${fileName}`,
    fileName,
    source: root.label,
    segments,
    isOfProject: root.boundary !== undefined,
    isShared: isShared(root),
    ...(root.isLibrary && { isOfLibrary: true }),
    isNested: folder.inside !== undefined,
    priority: 0,
    uri: skillUri(segments),
    get bytes() {
      return text.bytes;
    },
    frontmatter: {},
    lastLoaded: text.loadedAt,
    availability: folder.unreadable ? 'fallback' : 'available',
    // It is served, only not by a name of its own.
    issues: text.issues.map((issue) => ({ ...issue, severity: 'warning' })),
    listable: false,
  };
}

/** Content that more than one skill has is reached by as many spellings of its path: the usual one is shown. */
const directoryOf = ({ pinned }: Root, { path }: Folder): string =>
  pinned === undefined ? path : path.replace(/\/(?:\.\/)+/g, '/');

/** What was named on purpose, not found where agents keep what is their own. */
const isShared = ({ isGiven, pinned }: Root): boolean => isGiven === true || pinned !== undefined;

/** The longest frontmatter that is read, and what follows it. */
const MOST_DESCRIBED = 2 * MAX_FRONTMATTER_BYTES;

/** What is wrong with the file as it is now; what is wrong with the served text comes with the skill. */
function fileIssues(file: SkillFile): readonly Issue[] {
  const current = file.failure
    ? [issueByFailure[file.failure]]
    : file.text === file.good
      ? []
      : (file.text?.issues ?? []);
  return file.good && current.length > 0 ? [...current, servingLastGood] : current;
}

function answerOf(file: SkillFile): Answer {
  const text = file.good ?? file.text;
  if (text === undefined) return { text, failure: folderFailure[file.failure ?? 'missing'] };
  if (sizeOf(text) > MAX_SKILL_FILE_BYTES) return { text: undefined, failure: 'too-large' };
  // What has a name is not blank.
  return text.document === undefined && isBlank(text.bytes)
    ? { text: undefined, failure: 'empty' }
    : { text, failure: undefined };
}

/** Decoded only when it starts like a blank text: this is asked of every skill before the first answer. */
const isBlank = (bytes: Buffer): boolean => !startsVisibly(bytes) && bytes.toString('utf8').trim() === '';

const startsVisibly = (bytes: Buffer): boolean => {
  const first = bytes[0] ?? 0;
  return first > 0x20 && first < 0x7f;
};

const folderFailure = {
  missing: 'no-skill-file',
  'not-a-file': 'no-skill-file',
  denied: 'denied',
  // Reading beyond the allowed folders is not permitted: the same answer as for a file we may not open.
  outside: 'denied',
  busy: 'denied',
  'too-large': 'too-large',
  'invalid-utf8': 'invalid-utf8',
  tampered: 'no-skill-file',
} satisfies Record<SkillFileFailure, FolderFailure>;

const servingLastGood: Issue = {
  rule: 'serving-last-good',
  severity: 'warning',
  message: 'The text from before the last change is still served, because the present one cannot be',
  fix: 'Fix the file, or delete it to withdraw the skill',
};

const tooLargeForSome: Issue = {
  rule: 'skill-file-too-large',
  severity: 'warning',
  message: 'Cannot serve this SKILL.md everywhere: it is larger than 1 MB (1,048,576 bytes)',
  fix: 'Move details into supporting files that SKILL.md refers to',
};

const unreadableIssue = (rule: string, cause: string, fix: string): Issue => ({
  rule,
  severity: 'error',
  message: `Cannot load the skill: ${cause}`,
  fix,
});

const issueByFailure = {
  missing: unreadableIssue(
    'link-broken',
    'SKILL.md is a link with nothing at the other end',
    'Restore what it points to, or put a real file here',
  ),
  denied: unreadableIssue(
    'unreadable',
    'permission denied reading SKILL.md',
    'Give yourself permission to read it (chmod u+r)',
  ),
  'not-a-file': unreadableIssue('not-a-file', 'SKILL.md is not a regular file', 'Put a text file named SKILL.md here'),
  outside: unreadableIssue(
    'link-outside',
    'SKILL.md is a link that leads outside the folders that are searched',
    'Copy the file here, or allow the folder that holds it with --allow-links DIR',
  ),
  'too-large': unreadableIssue(
    'skill-file-too-large',
    'SKILL.md is larger than 2 MB',
    'Keep it under 1 MB (1,048,576 bytes): move details into supporting files',
  ),
  busy: unreadableIssue('busy', 'SKILL.md could not be read just now', 'Wait a moment: it is tried again by itself'),
  'invalid-utf8': unreadableIssue('invalid-utf8', 'SKILL.md is not valid UTF-8 text', 'Save it as UTF-8'),
  tampered: tamperedText,
} satisfies Record<SkillFileFailure, Issue>;
