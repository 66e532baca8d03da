/** The time of day of an instant in the zone of the event. */
export const formatTime = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, { timeZone, timeStyle: 'short' }).format(new Date(instant));
