/**
 * The id of the control of a field, which labels, help and links refer to. A dialog over a form has
 * fields of the same names, so the id of the form is part of it.
 */
export const fieldId = (formId: string, field: string): string =>
  `${formId}-${field.replace(/[^\w-]+/g, '-')}`;

/**
 * Whether a control shows something that its browser cannot read, such as "50e" as a number. Its
 * value is empty then.
 */
export const isUnreadable = (control: unknown): boolean =>
  control instanceof HTMLInputElement && control.validity.badInput;
