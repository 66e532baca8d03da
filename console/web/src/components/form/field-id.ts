/** The id of the control of a field, which labels, help and links refer to. */
export const fieldId = (field: string): string => `field-${field.replace(/[^\w-]+/g, '-')}`;

/**
 * Whether a control shows something that its browser cannot read, such as "50e" as a number. Its
 * value is empty then.
 */
export const isUnreadable = (control: unknown): boolean =>
  control instanceof HTMLInputElement && control.validity.badInput;
