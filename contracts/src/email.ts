/** The email with the A-label of an international domain. What is no domain stays unchanged. */
export function withAsciiDomain(input: string): string {
  const at = input.lastIndexOf('@');
  const domain = input.slice(at + 1);
  // The parser of URLs would take these characters for the end of the host or decode them.
  if (at < 0 || !/[^\0-\x7f]/.test(domain) || /[\s%/:?#@\\[\]]/.test(domain)) return input;
  const url = `https://${domain}`;
  return URL.canParse(url) ? `${input.slice(0, at)}@${new URL(url).hostname}` : input;
}

/** An address as HTML5 defines it. */
export const htmlEmail =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** The length of RFC 5321 before the at sign, without an empty part between dots. */
export const mailbox = /^(?!\.)(?!.*\.[.@])[^@]{1,64}@/;

export const maxEmailLength = 254;

/** Whether the API accepts an email. */
export function isEmail(input: string): boolean {
  const email = withAsciiDomain(input.trim());
  return email.length <= maxEmailLength && htmlEmail.test(email) && mailbox.test(email);
}

/** The form in which two emails are compared. */
export const normalEmail = (input: string): string =>
  withAsciiDomain(input.trim().normalize('NFC')).toLowerCase();
