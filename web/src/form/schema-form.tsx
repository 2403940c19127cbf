// A form made from a JSON Schema: a field for every value, what is wrong with it right below it.
import type { JSX } from 'preact';
import type { JsonSchema } from '../../../src/skills/schema/json-schema.ts';
import { type PathSegment, pathText } from '../../../src/skills/schema/violation.ts';
import { asDrafts, type Draft, type Drafts, emptyDraft, ownDraft } from './draft.ts';
import { type Field, fieldOf, limitsText, type Property } from './field-shape.ts';
import { ListField } from './list-field.tsx';
import { SingleField } from './single-field.tsx';
import { messagesAt, type Violation } from './violations.ts';

interface FormPlace {
  readonly root: JsonSchema;
  readonly path: readonly PathSegment[];
  readonly violations: readonly Violation[];
}

export interface FieldProps {
  readonly place: FormPlace;
  readonly label: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly draft: Draft | undefined;
  readonly change: (draft: Draft) => void;
}

export const idOf = (path: readonly PathSegment[]): string => `field-${pathText(path)}`;

/** The fields of an object, without a frame of their own. */
export function FormFields({ place, properties, drafts, change }: FormFieldsProps) {
  return (
    <>
      {properties.map(({ name, schema, isRequired }) => (
        <SchemaField
          key={name}
          place={{ ...place, path: [...place.path, name] }}
          label={name}
          schema={schema}
          isRequired={isRequired}
          draft={ownDraft(drafts, name)}
          change={(draft) => change({ ...drafts, [name]: draft })}
        />
      ))}
    </>
  );
}

interface FormFieldsProps {
  readonly place: FormPlace;
  readonly properties: readonly Property[];
  readonly drafts: Drafts;
  readonly change: (drafts: Drafts) => void;
}

export function SchemaField(props: FieldProps): JSX.Element {
  const { place, schema, label, draft, change } = props;
  const field = fieldOf(place.root, schema, place.path.length);
  const { shape } = field;
  if (shape.kind === 'list') return <ListField {...props} field={field} item={shape.item} />;
  if (shape.kind !== 'group') return <SingleField {...props} field={field} />;
  return (
    <fieldset class="field">
      <FieldHead as="legend" {...props} field={field} label={label} />
      {draft !== null && (
        <div class="group">
          <FormFields place={place} properties={shape.properties} drafts={asDrafts(draft)} change={change} />
        </div>
      )}
      <FieldFoot place={place} field={field} isWhole={false} />
    </fieldset>
  );
}

type HeadProps = FieldProps & { readonly field: Field; readonly as: 'label' | 'legend' };

/** What the field is called, whether it must be given, and whether it is to be null. */
export function FieldHead({ as, place, label, isRequired, field, draft, change }: HeadProps) {
  const words = (
    <>
      <span class="break">{label}</span> {isRequired && <span class="muted small">required</span>}
    </>
  );
  return (
    <div class="field-label">
      {as === 'label' ? <label for={idOf(place.path)}>{words}</label> : <legend class="field-legend">{words}</legend>}
      {field.takesNull && (
        <label class="null-choice">
          <input
            type="checkbox"
            aria-label={`${label} is null`}
            checked={draft === null}
            onChange={(event) => change(event.currentTarget.checked ? null : emptyDraft(field))}
          />
          null
        </label>
      )}
    </div>
  );
}

interface FootProps {
  readonly place: FormPlace;
  readonly field: Field;
  /** Whether faults inside of it have no field of their own. */
  readonly isWhole: boolean;
}

/** What it is for, what it may be, and what is wrong with it. */
export function FieldFoot({ place, field, isWhole }: FootProps) {
  const faults = messagesAt(place.violations, pathText(place.path), isWhole);
  const hint = [field.description, limitsText(field)].filter((text) => text !== undefined && text !== '').join(' · ');
  return (
    <>
      {faults.length > 0 && (
        <p class="field-fault" id={`${idOf(place.path)}-fault`}>
          {faults.join('; ')}
        </p>
      )}
      {hint !== '' && (
        <p class="field-hint" id={`${idOf(place.path)}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}
