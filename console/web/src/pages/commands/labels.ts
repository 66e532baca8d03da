/**
 * The name of a field or of a kind in words: `registrationTypeId` is "Registration type",
 * `ticket_type` "Ticket type".
 */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/ ids?$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
