// One document and its files over the API (H2). Lists are operations.
import { document } from '../../../operations/document-json.ts';
import { jsonAnswer, route } from './route.ts';

const NAME = {
  name:
    'Name of the skill, in any letter case; or its skill:// URI, which also reaches one that another shadows; or the folder ' +
    'of a document without a name',
};

const CACHED = { 304: { description: 'Not changed since the answer with this ETag', mediaType: '' } };

const API = {
  tag: 'documents',
  method: 'GET',
  headers: { 'If-None-Match': 'The ETag of an earlier answer' },
  failures: [400, 404],
} as const;

export const documentRoutes = {
  getDocument: route({
    ...API,
    path: '/api/documents/{name}',
    summary: 'One document with its text, its files, its problems and what looks suspicious in it',
    pathParameters: NAME,
    answers: { 200: jsonAnswer('The document', document), ...CACHED },
  }),
  getDocumentFile: route({
    ...API,
    path: '/api/documents/{name}/files/{path}',
    summary: 'One file of a document, as it is',
    pathParameters: { ...NAME, path: 'Path below the folder of the skill, with `/` between its segments' },
    answers: { 200: { description: 'The bytes, with their media type', mediaType: '*/*' }, ...CACHED },
  }),
};
