import type { FieldIssue } from '@event-api/contracts/http/envelope';

const maxLength = 2048;
const localHosts = ['localhost', '127.0.0.1', '[::1]'];

export type ReturnUrlsDecision =
  | { outcome: 'valid'; urls: { successUrl: string; cancelUrl: string } }
  | { outcome: 'invalid'; issues: FieldIssue[] };

/**
 * Validates the URLs that a payment page links back to and encodes them, so that they are valid in
 * an HTTP header: `https://example.com/日本` becomes `https://example.com/%E6%97%A5%E6%9C%AC`. An
 * ASCII URL is stored unchanged. This service never requests them.
 */
export function decideReturnUrls(input: {
  successUrl?: unknown;
  cancelUrl?: unknown;
}): ReturnUrlsDecision {
  const issues = (['successUrl', 'cancelUrl'] as const).flatMap((field) => {
    const problem = findProblem(input[field]);
    return problem ? [{ field, ...problem }] : [];
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

function findProblem(value: unknown): Omit<FieldIssue, 'field'> | null {
  if (value === undefined) return { issue: 'is required', code: 'required' };
  if (typeof value !== 'string') return { issue: 'must be a string', code: 'invalid_type' };
  if (value.length > maxLength) {
    return { issue: `must have at most ${maxLength} characters`, code: 'too_big' };
  }
  const issue = formatIssue(value);
  if (issue) return { issue, code: 'invalid_format' };
  return encoded(value).length > maxLength
    ? { issue: `must have at most ${maxLength} characters when percent-encoded`, code: 'too_big' }
    : null;
}

const notAllowed = 'must be an https URL, or an http URL on localhost';

/** Returns why a text is not a valid URL, or null. */
function formatIssue(value: string): string | null {
  // The parser would repair these, and each browser repairs them differently.
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  if (/\p{Z}/u.test(value)) return 'must not contain spaces';
  if (/[\p{Cc}\p{Cf}]/u.test(value)) return 'must not contain control or invisible characters';
  if (value.includes('\\')) return 'must not contain backslashes';
  // The parser treats `https:host` and `https:///host` alike, so accept only one form.
  if (!/^https?:\/\/[^/?#]/i.test(value)) return notAllowed;
  const url = URL.parse(value);
  if (/^[^/?#]*\/\/[^/?#]*@/.test(value) || url?.username || url?.password) {
    return 'must not contain a user name or password';
  }
  if (!url) return notAllowed;
  const isLocal = url.protocol === 'http:' && localHosts.includes(url.hostname);
  return url.protocol === 'https:' || isLocal ? null : notAllowed;
}
