// Document skills over the API: lists, one document, its files, problems and search (H2).
import { z } from 'zod';
import { SEARCH_LIMIT } from '../../../repertoire/repertoire.ts';
import { LIST_LIMIT } from '../../answers/skill-list.ts';
import { jsonAnswer, operation } from './operation.ts';
import { cursorParameter, flagParameter, limitParameter, NO_QUERY } from './parameters.ts';

const tag = 'documents';

/** Longer requests have no more words that could be found. */
const LONGEST_QUERY = 2_000;

const digest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .describe('Of the raw bytes');

const summaryFields = {
  name: z.string(),
  description: z.string(),
  uri: z.string().describe('skill://…/SKILL.md'),
  source: z.string().describe('The root that it was found in, as configured'),
  availability: z
    .enum(['available', 'fallback'])
    .describe('fallback: the file is broken now; this is its last good text'),
};

const count = z.int().min(0);

export const documentSummary = z
  .strictObject({
    ...summaryFields,
    problems: count.describe('How many problems it has'),
    findings: count.optional().describe('How many suspicious places it has; only where `findings=true` was asked for'),
  })
  .describe('A document skill in a list');

export const documentList = z.strictObject({
  documents: z.array(documentSummary),
  next_cursor: z.string().nullable(),
});

export const problem = z
  .strictObject({
    path: z.string().describe('Relative to its root; the name of a typed skill'),
    source: z.string().nullable().describe('The root, as in the list of documents; null for a typed skill'),
    line: z.int().nullable().describe('In that file, where one is known'),
    rule: z.string(),
    severity: z.enum(['error', 'warning', 'advice']),
    message: z.string(),
    fix: z.string(),
  })
  .describe('Why something is not served, or not as written');

export const problemList = z.strictObject({ problems: z.array(problem) });

export const finding = z
  .strictObject({
    path: z.string().describe('Below the folder of the skill'),
    line: z.int(),
    rule: z.string(),
    severity: z.enum(['high', 'medium', 'low']),
    message: z.string(),
    fix: z.string(),
    excerpt: z.string(),
  })
  .describe('Something suspicious in a document, for a reader to judge');

export const documentFile = z.strictObject({
  path: z.string(),
  uri: z.string(),
  digest,
  size: z.int(),
  media_type: z.string(),
});

export const namesake = z
  .strictObject({
    uri: z.string().nullable().describe('null: it is not served, because the same path in an earlier root is'),
    path: z.string().describe('Its SKILL.md, relative to its root'),
    source: z.string().describe('The root that it was found in, as configured'),
  })
  .describe('Another skill of the same name');

export const document = z.strictObject({
  ...summaryFields,
  base_directory: z.string().nullable().describe('null unless the operator asks on this machine'),
  last_loaded: z.iso.datetime(),
  frontmatter: z.record(z.string(), z.unknown()),
  content: z.string().describe('The whole SKILL.md, frontmatter included'),
  files: z.array(documentFile),
  shadows: z.array(namesake).describe('Skills that are not found by their name because this one comes first'),
  shadowed_by: namesake.nullable().describe('The skill that is found by this name instead; null: this one is'),
  problems: z.array(problem),
  findings: z.array(finding),
});

export const searchResults = z.strictObject({
  results: z.array(
    z.strictObject({
      kind: z.enum(['document', 'typed']),
      name: z.string(),
      description: z.string(),
      uri: z.string().optional().describe('Of a document; a typed skill has none'),
      score: z.number().describe('Greater is better; comparable within one answer'),
    }),
  ),
});

const NAME = {
  name: 'Name of the skill, in any letter case; or its skill:// URI, which also reaches one that another shadows',
};

const CACHED = { 304: { description: 'Not changed since the answer with this ETag', mediaType: '' } };

const IF_NONE_MATCH = { 'If-None-Match': 'The ETag of an earlier answer' };

export const documentOperations = {
  listDocuments: operation({
    method: 'GET',
    path: '/api/documents',
    tag,
    summary: 'Every document skill in name order, a page at a time; with q the ones that fit it, best first',
    query: z.object({
      q: z
        .string()
        .max(LONGEST_QUERY, `must have at most ${LONGEST_QUERY} characters`)
        .optional()
        .describe('Words to find'),
      cursor: cursorParameter,
      limit: limitParameter(LIST_LIMIT),
      findings: flagParameter('Count the suspicious places of each document; the first time this takes a while'),
    }),
    answers: { 200: jsonAnswer('A page of documents', documentList) },
    failures: [400],
  }),
  getDocument: operation({
    method: 'GET',
    path: '/api/documents/{name}',
    tag,
    summary: 'One document with its text, its files, its problems and what looks suspicious in it',
    pathParameters: NAME,
    query: NO_QUERY,
    headers: IF_NONE_MATCH,
    answers: { 200: jsonAnswer('The document', document), ...CACHED },
    failures: [400, 404],
  }),
  getDocumentFile: operation({
    method: 'GET',
    path: '/api/documents/{name}/files/{path}',
    tag,
    summary: 'One file of a document, as it is',
    pathParameters: { ...NAME, path: 'Path below the folder of the skill, with `/` between its segments' },
    query: NO_QUERY,
    headers: IF_NONE_MATCH,
    answers: { 200: { description: 'The bytes, with their media type', mediaType: '*/*' }, ...CACHED },
    failures: [400, 404],
  }),
  listProblems: operation({
    method: 'GET',
    path: '/api/problems',
    tag,
    summary: 'Why skills are not served, or not as written, and how to fix it',
    query: NO_QUERY,
    answers: { 200: jsonAnswer('The problems', problemList) },
    failures: [400],
  }),
  search: operation({
    method: 'GET',
    path: '/api/search',
    tag: 'search',
    summary: 'The skills of both kinds that fit some words or a whole request, best first',
    query: z.object({
      q: textOrBlank('Words, a name, or a whole request'),
      limit: limitParameter(SEARCH_LIMIT),
    }),
    answers: { 200: jsonAnswer('The skills that fit', searchResults) },
    failures: [400],
  }),
};

function textOrBlank(description: string) {
  return z
    .string('is required: say in a few words what the task is')
    .max(LONGEST_QUERY, `must have at most ${LONGEST_QUERY} characters`)
    .refine((text) => text.trim() !== '', 'must not be empty: say in a few words what the task is')
    .describe(description);
}
