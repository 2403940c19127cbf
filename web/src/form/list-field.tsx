// A field for a list: its entries one below the other, each with a way out, and one more on request.
import type { JsonSchema } from '../../../src/skills/schema/json-schema.ts';
import { type Draft, emptyDraft } from './draft.ts';
import { type Field, fieldOf } from './field-shape.ts';
import { FieldFoot, FieldHead, type FieldProps, SchemaField } from './schema-form.tsx';

type Props = FieldProps & { readonly field: Field; readonly item: JsonSchema };

export function ListField(props: Props) {
  const { place, label, field, item, draft, change } = props;
  const items = Array.isArray(draft) ? (draft as readonly Draft[]) : [];
  const add = () => change([...items, emptyDraft(fieldOf(place.root, item, place.path.length + 1))]);
  return (
    <fieldset class="field">
      <FieldHead {...props} as="legend" />
      {draft !== null && (
        <div class="group">
          {items.map((inner, index) => (
            <div class="item-row" key={index}>
              <SchemaField
                place={{ ...place, path: [...place.path, index] }}
                label={`${label} ${index + 1}`}
                schema={item}
                isRequired={false}
                draft={inner}
                change={(next) => change(items.map((before, at) => (at === index ? next : before)))}
              />
              <button
                type="button"
                class="button quiet little"
                aria-label={`Remove ${label} ${index + 1}`}
                onClick={() => change(items.filter((_, at) => at !== index))}
              >
                Remove
              </button>
            </div>
          ))}
          <div>
            <button type="button" class="button little" onClick={add}>
              Add {items.length === 0 ? 'an entry' : 'another'}
            </button>
          </div>
        </div>
      )}
      <FieldFoot place={place} field={field} isWhole={false} />
    </fieldset>
  );
}
