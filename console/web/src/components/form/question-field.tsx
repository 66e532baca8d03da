import type { Form } from '../../api/records.ts';
import { common } from '../../text/common.ts';
import { formText } from '../../text/forms.ts';
import { SelectField } from './choice-fields.tsx';
import { Field, type FieldProps } from './field.tsx';
import { NumberField, TextAreaField } from './text-fields.tsx';

/** The answer to a question of the form of an event, below `responses`. Null is no answer. */
export function QuestionField({
  question: { id, label, type, options },
  isRequired,
  rows,
}: {
  question: Form['questions'][number];
  isRequired: boolean;
  /** The lines of an answer in words. */
  rows: number;
}) {
  const field = { name: `responses.${id}`, label, required: isRequired };
  switch (type) {
    case 'text':
      return <TextAreaField {...field} maxLength={2000} rows={rows} />;
    case 'number':
      return <NumberField {...field} isInteger={false} />;
    case 'choice':
      return (
        <SelectField
          {...field}
          choices={(options ?? []).map((value) => ({ value, label: value }))}
        />
      );
    case 'boolean':
      return <YesNoField {...field} />;
  }
}

const yesNo = [
  { value: true, label: common.yes },
  { value: false, label: common.no },
];

/** Yes, no, or no answer. */
function YesNoField(props: FieldProps) {
  return (
    <Field {...props}>
      {({ value, onChange, onBlur, attributes }) => (
        <select
          {...attributes}
          className="control w-full max-w-96"
          value={typeof value === 'boolean' ? String(value) : ''}
          onChange={(event) =>
            onChange(yesNo.find(({ value }) => String(value) === event.target.value)?.value ?? null)
          }
          onBlur={onBlur}
        >
          <option value="">{props.required ? formText.choose : formText.notSet}</option>
          {yesNo.map((choice) => (
            <option key={choice.label} value={String(choice.value)}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
