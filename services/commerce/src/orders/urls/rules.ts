import type { FieldIssue } from '@event-api/contracts/http/envelope';

const maxLength = 2048;
const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * What is wrong with the addresses that a payment page leads back to. They are kept and handed on as
 * they were given, and nobody here ever asks them for anything.
 */
export function judgeReturnUrls(given: {
  successUrl?: unknown;
  cancelUrl?: unknown;
}): FieldIssue[] {
  return (['successUrl', 'cancelUrl'] as const).flatMap((field) => {
    const wrong = wrongUrl(given[field]);
    return wrong ? [{ field, ...wrong }] : [];
  });
}

function wrongUrl(given: unknown): Omit<FieldIssue, 'field'> | null {
  if (given === undefined) return { issue: 'is required', code: 'required' };
  if (typeof given !== 'string') return { issue: 'must be a string', code: 'invalid_type' };
  if (given.length > maxLength) {
    return { issue: `must have at most ${maxLength} characters`, code: 'too_big' };
  }
  return isGood(given)
    ? null
    : { issue: 'must be an https URL, or an http one on localhost', code: 'invalid_format' };
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
