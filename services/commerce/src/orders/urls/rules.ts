import type { FieldIssue } from '@event-api/contracts/http/envelope';

const maxLength = 2048;
const localHosts = ['localhost', '127.0.0.1', '[::1]'];

export type ReturnUrlsDecision =
  | { outcome: 'valid'; urls: { successUrl: string; cancelUrl: string } }
  | { outcome: 'invalid'; issues: FieldIssue[] };

/**
 * Validates the addresses that a payment page leads back to and encodes them, so that they are valid in an HTTP
 * header: `https://example.com/日本` becomes `https://example.com/%E6%97%A5%E6%9C%AC`. An address of ASCII characters
 * is kept as it was sent. This service never requests them.
 */
export function decideReturnUrls(input: {
  successUrl?: unknown;
  cancelUrl?: unknown;
}): ReturnUrlsDecision {
  const issues = (['successUrl', 'cancelUrl'] as const).flatMap((field) => {
    const wrong = wrongUrl(input[field]);
    return wrong ? [{ field, ...wrong }] : [];
  });
  if (issues.length > 0) return { outcome: 'invalid', issues };
  const { successUrl, cancelUrl } = input as { successUrl: string; cancelUrl: string };
  return {
    outcome: 'valid',
    urls: { successUrl: encoded(successUrl), cancelUrl: encoded(cancelUrl) },
  };
}

const encoded = (url: string): string =>
  /^[\x21-\x7e]+$/.test(url) ? url : (URL.parse(url)?.href ?? url);

function wrongUrl(given: unknown): Omit<FieldIssue, 'field'> | null {
  if (given === undefined) return { issue: 'is required', code: 'required' };
  if (typeof given !== 'string') return { issue: 'must be a string', code: 'invalid_type' };
  if (given.length > maxLength) {
    return { issue: `must have at most ${maxLength} characters`, code: 'too_big' };
  }
  if (!isGood(given)) {
    return { issue: 'must be an https URL, or an http URL on localhost', code: 'invalid_format' };
  }
  return encoded(given).length > maxLength
    ? { issue: `must have at most ${maxLength} characters when percent-encoded`, code: 'too_big' }
    : null;
}

function isGood(given: string): boolean {
  // The parser would repair all of these, each browser in its own way.
  if (!given.isWellFormed() || /[\s\\\p{Cc}\p{Cf}]/u.test(given)) return false;
  // Exactly one form of each: `https:host` and `https:///host` are taken for the same by the parser.
  if (!/^https?:\/\/[^/?#]/i.test(given)) return false;
  const url = URL.parse(given);
  if (url?.username !== '' || url.password !== '' || /^[^/?#]*\/\/[^/?#]*@/.test(given))
    return false;
  return (
    url.protocol === 'https:' || (url.protocol === 'http:' && localHosts.includes(url.hostname))
  );
}
