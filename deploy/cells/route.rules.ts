import { cellPath } from '@event-api/contracts/cells';

/** The path of what a cell serves without a credential, with the slash at its end. */
export const pathPrefixOf = (cell: string): string => `${cellPath(cell)}/`;

const inAnyCase = (text: string): string =>
  text.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);

/**
 * The regular expression of the `Authorization` headers that a proxy sends to a cell: a credential
 * of any kind with its name, whole or not, or a short code. It has no flags and no look-around, so
 * PCRE and RE2 read it in the same way. Two credentials in one header do not match.
 */
export const authorizationPattern = (cell: string): string => {
  const secret = `[a-z]{2}_live_${cell}_[0-9A-Za-z]*`;
  const shortCode = `${inAnyCase(cell)}-?[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}`;
  return `^${inAnyCase('bearer')} +(?:${secret}|${shortCode})$`;
};
