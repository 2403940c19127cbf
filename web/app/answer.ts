// What `list_skills`, `search_skills` and `get_skill` answer, as the viewer shows it. Pure; believes nothing that it has not looked at.

/** What `get_skill` takes. */
export type SkillAddress = { readonly uri: string } | { readonly skill_name: string };

export interface ListedSkill {
  readonly name: string;
  readonly description: string;
  /** Absent for a typed skill: there is nothing to read. */
  readonly address: SkillAddress | undefined;
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

function listOf({ skills, by_folder, problems, next_cursor }: Readonly<Record<string, unknown>>): Answer {
  const named = recordsIn(skills).map(({ name, description, uri, kind }) => ({
    name: String(name ?? ''),
    description: String(description ?? ''),
    address: kind === 'typed' ? undefined : { uri: String(uri ?? '') },
  }));
  // Documents without a name of their own.
  const unnamed = recordsIn(by_folder).map(({ skill_name, description }) => ({
    name: String(skill_name ?? ''),
    description: String(description ?? ''),
    address: { skill_name: String(skill_name ?? '') },
  }));
  return {
    kind: 'list',
    skills: [...named, ...unnamed],
    problems: Array.isArray(problems) ? problems.length : 0,
    nextCursor: typeof next_cursor === 'string' ? next_cursor : undefined,
  };
}

const recordsIn = (value: unknown) => (Array.isArray(value) ? value : []).map(fieldsOf);

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
