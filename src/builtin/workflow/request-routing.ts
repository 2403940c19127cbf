// `request_routing`: a request in words → the skills that fit it best, documents and typed ones (B4).
import { z } from 'zod';
import { defineSkill } from '../../skills/define/define-skill.ts';
import { defaultingField, limitedText } from '../kit/fields.ts';
import type { FindSkills } from '../ports/find-skills.ts';

const match = z.object({
  name: z.string(),
  kind: z.enum(['document', 'typed']),
  description: z.string(),
  uri: z.string().nullable().describe('of a document; null for a typed skill'),
  score: z.number().describe('greater is better; comparable within one answer'),
  reason: z.string(),
});

export const requestRouting = (findSkills: FindSkills) =>
  defineSkill({
    name: 'request_routing',
    description:
      'Finds the skills that fit a request in words, the best first: documents to read and typed skills to invoke.',
    category: 'orchestration',
    assignedTo: ['OrchestratorAgent'],
    input: z.object({
      request: limitedText({ min: 1, max: 2_000 }).describe('What is to be done, in words.'),
      limit: defaultingField(z.int().min(1).max(10), 3).describe('How many skills to give at most.'),
    }),
    output: z.object({
      matches: z.array(match),
      none: z.boolean().describe('true: nothing fits'),
      skill_name: z.string().nullable().describe('the best typed skill of the matches; null: there is none'),
      has_skill: z.boolean().describe('whether there is one, for the when of a workflow'),
    }),
    successCriteria: ['At most limit matches, the best first; typed skills only where the caller may invoke them.'],
    failureModes: ['VALIDATION_ERROR', 'UNAUTHORIZED'],
    timeoutSeconds: 10,
    annotations: { readOnly: true, openWorld: false },
    async run({ request, limit }, { caller }) {
      const found = await findSkills(request, limit, caller);
      const matches = found.slice(0, limit).map(({ name, kind, description, uri = null, score, why }) => ({
        name,
        kind,
        description,
        uri,
        score,
        reason: why,
      }));
      const skill_name = matches.find(({ kind }) => kind === 'typed')?.name ?? null;
      return { matches, none: matches.length === 0, skill_name, has_skill: skill_name !== null };
    },
  });
