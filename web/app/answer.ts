// What `list_skills`, `search_skills` and `get_skill` answer, as the viewer shows it. Pure; believes nothing that it has not looked at.

export interface ListedSkill {
  readonly name: string;
  readonly description: string;
  /** Empty for a typed skill: there is nothing to read. */
  readonly uri: string;
}

export type Answer =
  | {
      readonly kind: 'list';
      readonly skills: readonly ListedSkill[];
      readonly problems: number;
      readonly nextCursor: string | undefined;
    }
  | { readonly kind: 'document'; readonly title: string; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string };

/** Of a tool's result, whatever the host passed on. */
export function parseAnswer(result: unknown): Answer {
  const { structuredContent, content, isError } = fieldsOf(result);
  const fields = fieldsOf(structuredContent);
  if (isError === true) return { kind: 'failed', message: textIn(content) };
  if (Array.isArray(fields.skills)) return listOf(fields);
  if (typeof fields.text === 'string') return documentOf(String(fields.uri ?? ''), fields.text);
  if (typeof fields.documentation === 'string')
    return documentOf(String(fields.skill_name ?? ''), fields.documentation);
  return documentOf('', textIn(content));
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function listOf({ skills, problems, next_cursor }: Readonly<Record<string, unknown>>): Answer {
  const listed = (Array.isArray(skills) ? skills : []).map(fieldsOf).map(({ name, description, uri, kind }) => ({
    name: String(name ?? ''),
    description: String(description ?? ''),
    uri: kind === 'typed' ? '' : String(uri ?? ''),
  }));
  return {
    kind: 'list',
    skills: listed,
    problems: Array.isArray(problems) ? problems.length : 0,
    nextCursor: typeof next_cursor === 'string' ? next_cursor : undefined,
  };
}

/** Titled by the last folder of its URI. */
const documentOf = (address: string, text: string): Answer => ({
  kind: 'document',
  title:
    address
      .replace(/\/SKILL\.md$/i, '')
      .split('/')
      .at(-1) ?? '',
  text,
});

function textIn(content: unknown): string {
  const items = Array.isArray(content) ? content.map(fieldsOf) : [];
  return items.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}
