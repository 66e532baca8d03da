import type { FieldIssue } from '@event-api/contracts/http/envelope';

const maxLength = 2048;
const localHosts = ['localhost', '127.0.0.1', '[::1]'];

export type ReturnUrlsDecision =
  | { outcome: 'valid'; urls: { successUrl: string; cancelUrl: string } }
  | { outcome: 'invalid'; issues: FieldIssue[] };

/**
 * Validates the URLs that a payment page links back to, replaces `{ORDER_NUMBER}` and encodes them,
 * so that they are valid in an HTTP header: `https://example.com/日本` becomes
 * `https://example.com/%E6%97%A5%E6%9C%AC`. Any other ASCII URL is stored unchanged. This service
 * never requests them.
 */
export function decideReturnUrls(
  input: { successUrl?: unknown; cancelUrl?: unknown },
  order: { orderNumber: string },
): ReturnUrlsDecision {
  const issues = (['successUrl', 'cancelUrl'] as const).flatMap((field) => {
    const problem = findUrlProblem(input[field], order);
    return problem ? [{ field, ...problem }] : [];
  });
  if (issues.length > 0) return { outcome: 'invalid', issues };
  const { successUrl, cancelUrl } = input as { successUrl: string; cancelUrl: string };
  return {
    outcome: 'valid',
    urls: { successUrl: storedUrl(successUrl, order), cancelUrl: storedUrl(cancelUrl, order) },
  };
}

/** Also as libraries for URLs encode it. */
const placeholder = /\{ORDER_NUMBER\}|%7BORDER_NUMBER%7D/gi;
const placeholderInHost = /^[^/?#]*\/\/[^/?#]*(\{|%7B)ORDER_NUMBER/i;

/** The URL to store. The number replaces the placeholder first: the parser encodes its braces. */
export function storedUrl(url: string, { orderNumber }: { orderNumber: string }): string {
  const filled = url.replaceAll(placeholder, encodeURIComponent(orderNumber));
  return /^[\x21-\x7e]+$/.test(filled) ? filled : (URL.parse(filled)?.href ?? filled);
}

/** Why a URL of a request is not valid, or null. */
export function findUrlProblem(
  value: unknown,
  order: { orderNumber: string },
): Omit<FieldIssue, 'field'> | null {
  if (value === undefined) return { issue: 'is required', code: 'required' };
  if (typeof value !== 'string') return { issue: 'must be a string', code: 'invalid_type' };
  if (value.length > maxLength) {
    return { issue: `must have at most ${maxLength} characters`, code: 'too_big' };
  }
  const issue = formatIssue(value);
  if (issue) return { issue, code: 'invalid_format' };
  return storedUrl(value, order).length > maxLength
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
  if (placeholderInHost.test(value)) return 'must not contain {ORDER_NUMBER} in its host';
  if (!url) return notAllowed;
  const isLocal = url.protocol === 'http:' && localHosts.includes(url.hostname);
  return url.protocol === 'https:' || isLocal ? null : notAllowed;
}
