// A typed skill's definition as a person reads it: what it takes and gives, who may invoke it, its limits. Pure.

import type { RegisteredSkill } from '../../skills/define/registered-skill.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { isRecord } from '../../values/is-record.ts';
import type { Layout } from './terminal/output.ts';
import { hangingText, padToWidth } from './terminal/text-layout.ts';

export function renderDefinition(skill: RegisteredSkill, { paint, columns }: Layout): string {
  const { name, description, category, access, timeoutSeconds, perMinute, atOnce, failureModes } = skill;
  const limits = [
    counted(timeoutSeconds, 'second'),
    ...(perMinute === undefined ? [] : [`${perMinute} calls per minute of one caller`]),
    ...(atOnce === undefined ? [] : [`${atOnce} at once`]),
  ];
  const agents = access.assignedTo.length === 0 ? 'every agent' : access.assignedTo.join(', ');
  const users = access.userField === undefined ? '' : `; users for themselves (${access.userField})`;
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Agents', [`${agents}${users}`]],
    ['Input', schemaLines(skill.input.json)],
    ['Output', schemaLines(skill.output.json)],
    ['Limits', [limits.join(', ')]],
    ...(failureModes.length === 0 ? [] : [['Fails with', [failureModes.join(', ')]] as const]),
  ];
  const lines = rows.flatMap(([label, texts]) =>
    texts.map((text, index) => `  ${paint.dim(padToWidth(index === 0 ? label : '', LABEL_WIDTH))}${toOneLine(text)}`),
  );
  return [
    `${paint.bold(toOneLine(name))}  ${paint.dim(`typed · ${toOneLine(category)}`)}`,
    ...hangingText('', toOneLine(description), columns),
    '',
    ...lines,
    '',
  ].join('\n');
}

const LABEL_WIDTH = 12;

/** One line for each field: `name: string, required · Whom to greet`. */
function schemaLines(schema: unknown): readonly string[] {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  const required = isRecord(schema) && Array.isArray(schema.required) ? schema.required : [];
  const lines = Object.entries(properties).map(
    ([name, field]) =>
      `${name}: ${typeText(field)}, ${required.includes(name) ? 'required' : 'optional'}${aboutText(field)}`,
  );
  return lines.length === 0 ? ['nothing'] : lines;
}

function typeText(field: unknown): string {
  if (!isRecord(field)) return 'anything';
  if (Array.isArray(field.enum)) return field.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (field.const !== undefined) return JSON.stringify(field.const);
  const choices = field.anyOf ?? field.oneOf;
  if (Array.isArray(choices)) return choices.map(typeText).join(' | ');
  if (field.type === 'array') return `list of ${typeText(field.items)}`;
  if (Array.isArray(field.type)) return field.type.join(' | ');
  return typeof field.type === 'string' ? field.type : 'anything';
}

const aboutText = (field: unknown): string =>
  isRecord(field) && typeof field.description === 'string' ? ` · ${field.description}` : '';
