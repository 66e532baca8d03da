const whole: Readonly<Record<string, string>> = {
  id: 'ID',
  url: 'URL',
  addon: 'Add-on',
  untilEventEnds: 'Until the event ends',
};

/**
 * The name of a field or of a kind in words: `registrationTypeId` is "Registration type",
 * `perkIds` "Perks", `ticket_type` "Ticket type".
 */
export function labelOf(name: string): string {
  const known = whole[name];
  if (known) return known;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/ ids$/, 's')
    .replace(/ id$/, '')
    .replace(/\burl\b/, 'URL');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
