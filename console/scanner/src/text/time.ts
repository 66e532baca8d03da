/** The time of day of an instant in the zone of the event. */
export const formatTime = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, { timeZone, timeStyle: 'short' }).format(new Date(instant));

/** The weekday and the time of day of an instant in the zone of the event. */
export const formatDayTime = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(instant));
