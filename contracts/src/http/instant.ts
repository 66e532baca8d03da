const format =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)$/;

/**
 * Parses an ISO 8601 date-time with an offset to the millisecond, or returns null. Seconds are
 * optional. Years are not limited here.
 */
export function parseInstant(text: string): Date | null {
  const match = format.exec(text);
  if (!match) return null;
  const [, date = '', hour, minute, second = '00', fraction = '', sign, ...offset] = match;
  const [offsetHour = '00', offsetMinute = '00'] = offset;
  if (!areInRange([hour, offsetHour], 23) || !areInRange([minute, second, offsetMinute], 59)) {
    return null;
  }
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const local = new Date(`${date}T${hour}:${minute}:${second}.${milliseconds}Z`);
  // The runtime parses 30 February as 2 March.
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(date)) return null;
  const offsetMinutes = Number(offsetHour) * 60 + Number(offsetMinute);
  const shift = sign === '-' ? offsetMinutes : -offsetMinutes;
  return new Date(local.getTime() + shift * 60_000);
}

const areInRange = (parts: readonly (string | undefined)[], most: number): boolean =>
  parts.every((part) => Number(part) <= most);
