/** How many bytes of the SHA-256 identify a badge code. */
export const codeHashBytes = 16;

/** The text whose hash identifies a badge code. Case and surrounding spaces do not matter. */
export const codeHashInput = (code: string): string => `checkin:${code.trim().toUpperCase()}`;

/**
 * The hash of a badge code: the first 16 bytes of its SHA-256, in base64url. A device recognizes
 * codes by it without having them. A code has 80 random bits, so the hash needs no salt.
 */
export async function hashBadgeCode(code: string): Promise<string> {
  const input = new TextEncoder().encode(codeHashInput(code));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', input));
  return btoa(String.fromCharCode(...digest.subarray(0, codeHashBytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
