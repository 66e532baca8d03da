/** The date of an instant in a time zone, as `2027-05-10`. Dates of one zone sort as text. */
export const dateIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);
