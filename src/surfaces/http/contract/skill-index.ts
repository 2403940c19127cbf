// The index of skills that other servers and installers read (S6): version 0.2.0 of the discovery format.
import { choice, list, record, text } from '../../../operations/shape.ts';
import { jsonAnswer, route } from './route.ts';

const entry = record({
  name: text(),
  type: choice(['skill-md', 'archive']),
  description: text(),
  url: text().about('Path-absolute: below the address of this server'),
  digest: text().about('`sha256:` and 64 hexadecimal digits, of the bytes at that address'),
});

const index = record({ $schema: text(), skills: list(entry) }).named('SkillIndex');

const API = {
  tag: 'index',
  method: 'GET',
  headers: { 'If-None-Match': 'The ETag of an earlier answer' },
} as const;

const CACHED = { 304: { description: 'Not changed since the answer with this ETag', mediaType: '' } };

export const skillIndexRoutes = {
  getSkillIndex: route({
    ...API,
    path: '/.well-known/agent-skills/index.json',
    summary: 'The skills of this server for others to take; with --public-index without a credential',
    answers: { 200: jsonAnswer('The index', index), ...CACHED },
  }),
  getIndexedSkill: route({
    ...API,
    path: '/.well-known/agent-skills/{name}/{file}',
    summary: 'One skill of the index: its SKILL.md, or all its files as a .tar.gz',
    pathParameters: { name: 'Name of the skill', file: 'As the index has it' },
    answers: { 200: { description: 'The bytes of the digest', mediaType: '*/*' }, ...CACHED },
    failures: [400, 404],
  }),
};
