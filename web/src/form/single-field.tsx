// A field for one value: text, number, choice, moment, secret, or JSON where nothing else fits.
import { pathText } from '../../../src/skills/schema/violation.ts';
import type { Field } from './field-shape.ts';
import { FieldFoot, FieldHead, type FieldProps, idOf } from './schema-form.tsx';
import { messagesAt } from './violations.ts';

type Props = FieldProps & { readonly field: Field };

export function SingleField(props: Props) {
  const { place, field } = props;
  return (
    <div class="field">
      <FieldHead {...props} as="label" />
      <Control {...props} />
      <FieldFoot place={place} field={field} isWhole={field.shape.kind === 'json'} />
    </div>
  );
}

function Control({ place, field, draft, change, isRequired }: Props) {
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
