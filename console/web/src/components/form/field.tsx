import type { ReactNode } from 'react';
import { common } from '../../text/common.ts';
import { fieldId, isUnreadable } from './field-id.ts';
import { decideIssue, type FieldRules } from './form.rules.ts';
import { useFieldLabel, useFormOfField } from './use-record-form.ts';

export interface FieldProps extends FieldRules {
  /**
   * The path of the value: `name`, `items[0].quantity`. The server names problems in the same way.
   */
  name: string;
  label: string;
  help?: ReactNode;
  /** The field has no effect: nothing can be entered, and what was entered is not checked. */
  isDisabled?: boolean;
}

/**
 * What a control gets: its value, and the attributes that connect it with label, help and error.
 */
export interface ControlProps {
  value: unknown;
  onChange: (value: unknown) => void;
  onBlur: () => void;
  attributes: {
    id: string;
    name: string;
    'aria-invalid': boolean | undefined;
    'aria-describedby': string | undefined;
    'aria-required': boolean | undefined;
    disabled: boolean | undefined;
    onInput: () => void;
    onKeyUp: () => void;
  };
}

/**
 * A field: the label, the control, help below it, and the problem. It is validated on blur and on
 * submission.
 */
export function Field({
  name,
  label,
  help,
  isDisabled = false,
  children,
  ...rules
}: FieldProps & { children: (props: ControlProps) => ReactNode }) {
  const form = useFormOfField();
  useFieldLabel(name, label);
  const id = fieldId(form.id, name);
  const validate = ({ value }: { value: unknown }) =>
    isDisabled
      ? undefined
      : (decideIssue(value, rules, isUnreadable(document.getElementById(id))) ?? undefined);
  return (
    <form.api.Field name={name} validators={{ onBlur: validate }}>
      {(field) => {
        const found = form.issues.get(name) ?? (field.state.meta.errors[0] as string | undefined);
        const issue = isDisabled ? undefined : found;
        // A problem disappears as soon as it is repaired; a new one waits for the blur. The keys
        // count, too, because browsers report no change when an unreadable entry is removed. A
        // later check would move the button under the pointer.
        const recheck = () => {
          if (field.state.meta.errors.length > 0) void field.validate('blur');
        };
        return (
          <div className="flex min-w-0 flex-col gap-1">
            <label htmlFor={id} className="text-sm font-medium">
              {label}
              {!rules.required && (
                <span className="font-normal text-muted"> ({common.optional})</span>
              )}
            </label>
            {children({
              value: field.state.value,
              onChange: (value) => {
                field.handleChange(value);
                form.dropIssue(name);
                recheck();
              },
              onBlur: field.handleBlur,
              attributes: {
                id,
                name,
                'aria-invalid': issue !== undefined || undefined,
                'aria-describedby':
                  [help && `${id}-help`, issue && `${id}-issue`].filter(Boolean).join(' ') ||
                  undefined,
                'aria-required': rules.required || undefined,
                disabled: isDisabled || undefined,
                onInput: recheck,
                onKeyUp: recheck,
              },
            })}
            {help && (
              <p id={`${id}-help`} className="text-sm text-muted">
                {help}
              </p>
            )}
            {issue !== undefined && (
              <p id={`${id}-issue`} className="text-sm text-red">
                {issue}
              </p>
            )}
          </div>
        );
      }}
    </form.api.Field>
  );
}
