/** The name of a field in words: `registrationTypeId` is "Registration type", `maxUses` is "Max uses". */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/ ids?$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
