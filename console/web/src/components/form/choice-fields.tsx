import { formText } from '../../text/forms.ts';
import { Field, type FieldProps } from './field.tsx';
import { fieldId } from './field-id.ts';
import { useFieldLabel, useFormOfField } from './use-record-form.ts';

export interface Choice {
  value: string;
  label: string;
  /** Choices of one group stand together under its name. */
  group?: string;
}

/** One of several values. Without `required`, no value is a choice, too, and its value is null. */
export function SelectField({
  choices,
  onChosen,
  ...field
}: FieldProps & {
  choices: readonly Choice[];
  /** Called before the form takes the value. */
  onChosen?: (value: string | null) => void;
}) {
  return (
    <Field {...field}>
      {({ value, onChange, onBlur, attributes }) => (
        <select
          {...attributes}
          className="control w-full max-w-96"
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => {
            const chosen = event.target.value === '' ? null : event.target.value;
            onChosen?.(chosen);
            onChange(chosen);
          }}
          onBlur={onBlur}
        >
          {(!field.required || typeof value !== 'string') && (
            <option value="">{field.required ? formText.choose : formText.notSet}</option>
          )}
          {Object.entries(Object.groupBy(choices, ({ group = '' }) => group)).map(
            ([group, members = []]) =>
              group === '' ? (
                <Options key={group} choices={members} />
              ) : (
                <optgroup key={group} label={group}>
                  <Options choices={members} />
                </optgroup>
              ),
          )}
        </select>
      )}
    </Field>
  );
}

const Options = ({ choices }: { choices: readonly Choice[] }) =>
  choices.map((choice) => (
    <option key={choice.value} value={choice.value}>
      {choice.label}
    </option>
  ));

/** Yes or no. Its label stands beside it. */
export function CheckboxField({
  name,
  label,
  help,
}: {
  name: string;
  label: string;
  help?: string;
}) {
  const form = useFormOfField();
  useFieldLabel(name, label);
  const id = fieldId(form.id, name);
  return (
    <form.api.Field name={name}>
      {(field) => (
        <div className="flex gap-2.5">
          <input
            type="checkbox"
            id={id}
            className="mt-1 size-4 shrink-0 accent-accent touch:mt-2.5 touch:size-6"
            aria-describedby={help ? `${id}-help` : undefined}
            checked={field.state.value === true}
            onChange={(event) => {
              field.handleChange(event.target.checked);
              form.dropIssue(name);
            }}
          />
          <div>
            <label htmlFor={id} className="text-sm font-medium touch:block touch:py-3">
              {label}
            </label>
            {help && (
              <p id={`${id}-help`} className="text-sm text-muted">
                {help}
              </p>
            )}
            {form.issues.has(name) && <p className="text-sm text-red">{form.issues.get(name)}</p>}
          </div>
        </div>
      )}
    </form.api.Field>
  );
}

/** Several of a few values, as checkboxes. Its value is an array. */
export function CheckboxListField({
  choices,
  ...field
}: FieldProps & { choices: readonly (Choice & { help?: string })[] }) {
  return (
    <Field {...field}>
      {({ value, onChange, attributes }) => {
        const chosen = Array.isArray(value) ? (value as string[]) : [];
        const { 'aria-required': _, 'aria-invalid': __, ...group } = attributes;
        return (
          <fieldset
            {...group}
            aria-label={field.label}
            tabIndex={-1}
            className="flex flex-col gap-2"
          >
            {choices.map((choice) => (
              <label key={choice.value} className="flex gap-2.5 text-sm touch:py-2.5">
                <input
                  type="checkbox"
                  className="mt-0.5 size-4 shrink-0 accent-accent touch:size-6"
                  checked={chosen.includes(choice.value)}
                  onChange={(event) =>
                    onChange(
                      event.target.checked
                        ? [...chosen, choice.value]
                        : chosen.filter((each) => each !== choice.value),
                    )
                  }
                />
                <span>
                  {choice.label}
                  {choice.help && <span className="block text-muted">{choice.help}</span>}
                </span>
              </label>
            ))}
          </fieldset>
        );
      }}
    </Field>
  );
}
