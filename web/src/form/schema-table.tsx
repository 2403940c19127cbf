// A JSON Schema as a table that people read: each value, its kind, whether it must be there, what it may be.
import { isJsonSchema, type JsonSchema } from '../../../src/skills/check/json-schema.ts';
import { JsonView } from '../components/json-view.tsx';
import { type Field, fieldOf, limitsText, type Property, type Shape } from './field-shape.ts';

interface Line {
  readonly path: string;
  readonly kind: string;
  readonly isRequired: boolean;
  readonly notes: string;
}

/** The table, and the schema itself for those who want all of it. */
export const SchemaView = ({ schema, label }: SchemaProps) => (
  <>
    <SchemaTable schema={schema} label={label} />
    <details class="schema">
      <summary>JSON Schema</summary>
      <JsonView value={schema} label={`${label} schema`} />
    </details>
  </>
);

interface SchemaProps {
  readonly schema: JsonSchema;
  readonly label: string;
}

function SchemaTable({ schema, label }: SchemaProps) {
  const { shape } = fieldOf(schema, schema);
  const lines = shape.kind === 'group' ? linesOf(schema, shape.properties, '', 1) : [];
  if (lines.length === 0)
    return <p class="card-body muted">{shape.kind === 'group' ? 'No fields.' : 'JSON; its fields have no names.'}</p>;
  return (
    <div class="table-wrap">
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Kind</th>
            <th scope="col">What it may be</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.path}>
              <td class="field-name">
                <span class="mono">{line.path}</span>
                {line.isRequired && <div class="small muted">required</div>}
              </td>
              <td class="small">{line.kind}</td>
              <td class="small muted wide">{line.notes}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function linesOf(root: JsonSchema, properties: readonly Property[], before: string, depth: number): readonly Line[] {
  return properties.flatMap(({ name, schema, isRequired }) => {
    const field = fieldOf(root, schema, depth);
    const path = before + name;
    const notes = [field.description, choicesText(field), limitsText(field)];
    const own: Line = {
      path,
      kind: kindText(root, field, depth),
      isRequired,
      notes: notes.filter((note) => note !== undefined && note !== '').join(' · '),
    };
    return [own, ...innerLines(root, field.shape, path, depth)];
  });
}

function innerLines(root: JsonSchema, shape: Shape, path: string, depth: number): readonly Line[] {
  if (shape.kind === 'group') return linesOf(root, shape.properties, `${path}.`, depth + 1);
  if (shape.kind !== 'list') return [];
  const item = fieldOf(root, shape.item, depth + 1).shape;
  return item.kind === 'group' ? linesOf(root, item.properties, `${path}[].`, depth + 2) : [];
}

const choicesText = ({ shape }: Field): string =>
  shape.kind === 'choice' ? `one of ${shape.choices.map((choice) => JSON.stringify(choice)).join(', ')}` : '';

function kindText(root: JsonSchema, field: Field, depth: number): string {
  const { shape, schema, takesNull } = field;
  const words: Readonly<Record<Shape['kind'], string>> = {
    text: 'text',
    secret: 'secret',
    number: schema.type === 'integer' ? 'integer' : 'number',
    truth: 'true or false',
    choice: 'choice',
    moment: 'date-time',
    list: shape.kind === 'list' ? `list of ${kindText(root, fieldOf(root, shape.item, depth + 1), depth + 1)}` : '',
    group: 'object',
    json: isJsonSchema(schema) && typeof schema.type === 'string' ? schema.type : 'any JSON',
  };
  return takesNull ? `${words[shape.kind]} or null` : words[shape.kind];
}
