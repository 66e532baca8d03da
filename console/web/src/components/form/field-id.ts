/** The id of the control of a field, which labels, help and links refer to. */
export const fieldId = (field: string): string => `field-${field.replace(/[^\w-]+/g, '-')}`;
