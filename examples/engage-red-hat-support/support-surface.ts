// What the support server offers of its own, as values: both SDK generations register the same.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { RegisterOptions } from '../../src/surfaces/mcp/sdk.ts';
import type { SupportDesk } from './support-desk.ts';

export const SERVER_INFO = { name: 'support-desk', version: '1.0.0' };
export const SKILL_URI = 'skill://engage-red-hat-support/SKILL.md';
export const APP_URI = 'ui://engage-red-hat-support/app.html';
export const SKILLS_FOLDER = fileURLToPath(new URL('skills', import.meta.url));

const SKILL_MIME_TYPE = 'text/markdown';

/** Served while the skill's file cannot be read. */
const SHORT_VERSION =
  '---\nname: engage-red-hat-support\ndescription: Get help from Red Hat support. Short version; the full text cannot be read now.\n---\n' +
  '# Engage Red Hat support\n\nSearch the knowledge base first. If nothing fits, open a case with a clear summary.\n';

/** What registerSkills adds to this server: the two tools that it lacks. What it has already stays its own. */
export const SKILL_OPTIONS = {
  tools: ['get_skill', 'read_skill_file'],
  taken: 'keep',
  uiUri: APP_URI,
  fallback: { [SKILL_URI]: SHORT_VERSION },
} as const satisfies RegisterOptions;

/** The server's own way to its skill. */
function loadSkill(folder: string): { readonly text: string; readonly availability: 'available' | 'fallback' } {
  try {
    const text = readFileSync(join(folder, 'engage-red-hat-support', 'SKILL.md'), 'utf8');
    return { text, availability: 'available' };
  } catch {
    return { text: SHORT_VERSION, availability: 'fallback' };
  }
}

const READ_ONLY = { readOnlyHint: true, openWorldHint: false, destructiveHint: false };

const SHOWN_IN_APP = {
  ui: { resourceUri: APP_URI },
  'openai/outputTemplate': APP_URI,
  'openai/widgetAccessible': true,
};

const SKILL_RESOURCE = { title: 'How to engage Red Hat support', mimeType: SKILL_MIME_TYPE };
const APP = readFileSync(new URL('app.html', import.meta.url), 'utf8');

export const tools = {
  search: {
    name: 'search_knowledge_base',
    config: {
      title: 'Search the knowledge base',
      description: 'Articles that hold every given word',
      inputSchema: z.object({ words: z.string().min(1) }),
      annotations: { readOnlyHint: true },
    },
    call: (desk: SupportDesk, { words }: { words: string }) => json({ articles: desk.search(words) }),
  },
  open: {
    name: 'open_support_case',
    config: {
      title: 'Open a support case',
      description: 'Opens a case; severity 1 means that production is down, 4 is a question',
      inputSchema: z.object({
        summary: z.string().min(10),
        product: z.string().min(1),
        severity: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
      }),
    },
    call: (desk: SupportDesk, request: Parameters<SupportDesk['open']>[0]) => json(desk.open(request)),
  },
  attach: {
    name: 'attach_sosreport_summary',
    config: {
      title: 'Attach a summary of a sosreport',
      description: 'Adds the summary of a sosreport to an open case; never send the archive or credentials',
      inputSchema: z.object({ case_number: z.string(), summary: z.string().min(1) }),
    },
    call: (desk: SupportDesk, { case_number, summary }: { case_number: string; summary: string }) => {
      const updated = desk.attach(case_number, summary);
      return updated ? json(updated) : { ...json({ error: `No case has the number ${case_number}` }), isError: true };
    },
  },
  listSkills: {
    name: 'list_skills',
    config: {
      title: 'List skills',
      description: 'The skills of this server with their URIs: read one as a resource before you start',
      annotations: READ_ONLY,
      _meta: SHOWN_IN_APP,
    },
    call: (folder: string) => {
      const { title: description } = SKILL_RESOURCE;
      const { availability } = loadSkill(folder);
      const skills = [{ name: 'engage-red-hat-support', description, uri: SKILL_URI, availability }];
      return {
        content: [{ type: 'text' as const, text: `${SKILL_URI}: ${description}` }],
        structuredContent: { skills },
      };
    },
  },
} as const;

export const resources = {
  severities: {
    name: 'severities',
    uri: 'support://severities',
    config: { title: 'Severity levels', mimeType: 'application/json' },
    read: () => JSON.stringify({ 1: 'production is down', 2: 'severely limited', 3: 'partly limited', 4: 'question' }),
  },
  app: {
    name: 'app',
    uri: APP_URI,
    config: { title: 'Skills of the support desk', mimeType: 'text/html;profile=mcp-app' },
    read: () => APP,
  },
  skill: {
    name: 'engage-red-hat-support',
    uri: SKILL_URI,
    config: SKILL_RESOURCE,
    read: (folder: string) => loadSkill(folder).text,
  },
} as const;

type OwnResource = (typeof resources)[keyof typeof resources];

export const contentsOf = ({ uri, config: { mimeType }, read }: OwnResource, folder: string) => ({
  // Hosts give the page no network but what is named here: nothing.
  contents: [{ uri, mimeType, text: read(folder), ...(uri === APP_URI && { _meta: NO_NETWORK }) }],
});

const NO_NETWORK = { ui: { csp: { connectDomains: [], resourceDomains: [] } } };

const json = (value: object) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });
