/** The email with the A-label of an international domain. What is no domain stays unchanged. */
export function withAsciiDomain(input: string): string {
  const at = input.lastIndexOf('@');
  const domain = input.slice(at + 1);
  // The parser of URLs would take these characters for the end of the host or decode them.
  if (at < 0 || !/[^\0-\x7f]/.test(domain) || /[\s%/:?#@\\[\]]/.test(domain)) return input;
  const url = `https://${domain}`;
  return URL.canParse(url) ? `${input.slice(0, at)}@${new URL(url).hostname}` : input;
}

/** The form in which two emails are compared. */
export const normalEmail = (input: string): string =>
  withAsciiDomain(input.trim().normalize('NFC')).toLowerCase();
