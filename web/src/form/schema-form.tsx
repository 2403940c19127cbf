// A form made from a JSON Schema: a field for every value, what is wrong with it right below it.
import type { JSX } from 'preact';
import { type JsonSchema, type PathSegment, pathText } from '../../../src/skills/check/json-schema.ts';
import { messagesAt, type Violation } from '../model/violations.ts';
import { asDrafts, type Draft, type Drafts, emptyDraft, ownDraft } from './draft.ts';
import { type Field, fieldOf, limitsText, type Property } from './field-shape.ts';

interface FormPlace {
  readonly root: JsonSchema;
  readonly path: readonly PathSegment[];
  readonly violations: readonly Violation[];
}

interface FieldProps {
  readonly place: FormPlace;
  readonly label: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly draft: Draft | undefined;
  readonly change: (draft: Draft) => void;
}

const idOf = (path: readonly PathSegment[]): string => `field-${pathText(path)}`;

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

type ListProps = FieldProps & { readonly field: Field; readonly item: JsonSchema };

/** Its entries one below the other, each with a way out, and one more on request. */
function ListField(props: ListProps) {
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

type SingleProps = FieldProps & { readonly field: Field };

/** Text, number, choice, moment, secret, or JSON where nothing else fits. */
function SingleField(props: SingleProps) {
  const { place, field } = props;
  return (
    <div class="field">
      <FieldHead {...props} as="label" />
      <Control {...props} />
      <FieldFoot place={place} field={field} isWhole={field.shape.kind === 'json'} />
    </div>
  );
}

function Control({ place, field, draft, change, isRequired }: SingleProps) {
  const { shape, schema } = field;
  const id = idOf(place.path);
  const isWrong = messagesAt(place.violations, pathText(place.path), shape.kind === 'json').length > 0;
  const common = {
    id,
    name: id,
    value: typeof draft === 'string' ? draft : '',
    disabled: draft === null,
    autocomplete: 'off',
    spellcheck: false,
    'aria-required': isRequired,
    'aria-invalid': isWrong,
    'aria-describedby': `${id}-fault ${id}-hint`,
    onInput: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  } as const;
  if (shape.kind === 'secret') return <input {...common} type="password" autocomplete="new-password" />;
  if (shape.kind === 'number') return <input {...common} type="text" inputMode={numberKeys(schema.type)} />;
  if (shape.kind === 'moment') return <input {...common} type="datetime-local" step={1} />;
  if (shape.kind === 'truth') return <Choices common={common} choices={[true, false]} />;
  if (shape.kind === 'choice') return <Choices common={common} choices={shape.choices} />;
  if (shape.kind === 'json') return <textarea {...common} class="mono" placeholder="JSON" rows={4} />;
  return shape.kind === 'text' && shape.isLong ? <textarea {...common} rows={3} /> : <input {...common} type="text" />;
}

const numberKeys = (type: unknown) => (type === 'integer' ? ('numeric' as const) : ('decimal' as const));

interface ChoicesProps {
  readonly common: { readonly value: string; readonly [attribute: string]: unknown };
  readonly choices: readonly unknown[];
}

const Choices = ({ common, choices }: ChoicesProps) => (
  <select {...common}>
    <option value="">not given</option>
    {choices.map((choice) => {
      const value = JSON.stringify(choice);
      return (
        <option key={value} value={value} selected={common.value === value}>
          {typeof choice === 'string' ? choice : value}
        </option>
      );
    })}
  </select>
);

type HeadProps = FieldProps & { readonly field: Field; readonly as: 'label' | 'legend' };

/** What the field is called, whether it must be given, and whether it is to be null. */
function FieldHead({ as, place, label, isRequired, field, draft, change }: HeadProps) {
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
function FieldFoot({ place, field, isWhole }: FootProps) {
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
