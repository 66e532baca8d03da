import { useState } from 'react';
import { moneyInput, parseMoney } from '../../format/money.ts';
import { toWallClock, typedInstant } from '../../format/time.ts';
import { formText } from '../../text/forms.ts';
import { Field, type FieldProps } from './field.tsx';

export interface TextFieldProps extends FieldProps {
  type?: 'text' | 'email' | 'url' | 'search' | 'date' | 'password';
  placeholder?: string;
  autoComplete?: string;
  isMonospace?: boolean;
}

/** One line of text. Its value is a string. */
export function TextField({
  type = 'text',
  placeholder,
  autoComplete = 'off',
  isMonospace,
  ...field
}: TextFieldProps) {
  const format = type === 'email' ? 'email' : type === 'url' ? 'uri' : undefined;
  return (
    <Field {...(format && { format })} {...field}>
      {({ value, onChange, onBlur, attributes }) => (
        <input
          {...attributes}
          type={type}
          dir="auto"
          className={`control w-full ${isMonospace ? 'font-mono' : ''}`}
          placeholder={placeholder}
          autoComplete={type === 'password' ? 'new-password' : autoComplete}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
      )}
    </Field>
  );
}

/** Several lines of text. Its value is a string. */
export function TextAreaField({ rows = 3, ...field }: FieldProps & { rows?: number }) {
  return (
    <Field {...field}>
      {({ value, onChange, onBlur, attributes }) => (
        <textarea
          {...attributes}
          rows={rows}
          className="control w-full"
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
      )}
    </Field>
  );
}

/**
 * A number. Its value is a number, or null while the field is empty. A disabled field shows its
 * placeholder only.
 */
export function NumberField({ placeholder, ...field }: FieldProps & { placeholder?: string }) {
  return (
    <Field isInteger {...field}>
      {({ value, onChange, onBlur, attributes }) => (
        <input
          {...attributes}
          type="number"
          inputMode={field.isInteger === false ? 'decimal' : 'numeric'}
          min={field.minimum}
          max={field.maximum}
          placeholder={placeholder}
          className="control w-full max-w-48"
          value={
            typeof value === 'number' && !Number.isNaN(value) && !field.isDisabled ? value : ''
          }
          onChange={(event) => {
            const text = event.target.value;
            onChange(text === '' ? null : Number(text));
          }}
          onBlur={onBlur}
        />
      )}
    </Field>
  );
}

/**
 * An amount of money. Its value is in the minor unit, or null while the field is empty; NaN for
 * what is no amount.
 */
export function MoneyField({ currency, ...field }: FieldProps & { currency: string }) {
  return (
    <Field {...field}>
      {(control) => (
        <MoneyInput
          currency={currency}
          value={typeof control.value === 'number' ? control.value : null}
          onChange={control.onChange}
          onBlur={control.onBlur}
          attributes={control.attributes}
        />
      )}
    </Field>
  );
}

/** The input of an amount, usable outside of a form. */
export function MoneyInput({
  currency,
  value,
  onChange,
  onBlur,
  attributes,
}: {
  currency: string;
  value: number | null;
  onChange: (amount: number | null) => void;
  onBlur?: () => void;
  attributes: object;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const text = value === null || Number.isNaN(value) ? '' : moneyInput(value, currency);
  return (
    <div className="relative w-full max-w-48">
      <span
        aria-hidden
        className="absolute inset-y-0 left-2.5 flex items-center text-sm text-muted"
      >
        {currency}
      </span>
      <input
        {...attributes}
        inputMode="decimal"
        className="control w-full !pl-12 text-right"
        value={draft ?? text}
        onChange={(event) => {
          setDraft(event.target.value);
          const amount = parseMoney(event.target.value, currency);
          onChange(event.target.value.trim() === '' ? null : (amount ?? Number.NaN));
        }}
        onBlur={() => {
          if (draft !== null && parseMoney(draft, currency) !== null) setDraft(null);
          onBlur?.();
        }}
      />
    </div>
  );
}

/**
 * A date and a time in a zone. Its value is an instant, null while the field is empty, or what is
 * no date yet.
 */
export function DateTimeField({ zone, help, ...field }: FieldProps & { zone: string }) {
  return (
    <Field
      {...field}
      format="date-time"
      help={
        help ? (
          <>
            {help}. {formText.zoneHint(zone)}
          </>
        ) : (
          formText.zoneHint(zone)
        )
      }
    >
      {({ value, onChange, onBlur, attributes }) => (
        <input
          {...attributes}
          type="datetime-local"
          className="control w-full max-w-64"
          value={typeof value === 'string' ? toWallClock(value, zone) : ''}
          onChange={(event) => onChange(typedInstant(event.target.value, zone))}
          onBlur={onBlur}
        />
      )}
    </Field>
  );
}
