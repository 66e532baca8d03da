/** The part of an error that says what is wrong. */
interface ErrorBody {
  error?: { message?: string; details?: { field?: string; issue?: string }[] };
}

/** Whether a repetition of the same request gets the same rejection. */
export const isRejection = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 408, 409, 425, 429].includes(status);

/**
 * The scans of a rejected batch that are the reason, by their places, each with its cause. If the
 * platform names none of them, it is all of them.
 */
export function rejectedScans(body: unknown, count: number): ReadonlyMap<number, string> {
  const { message = '', details = [] } = (body as ErrorBody | null)?.error ?? {};
  const named = new Map<number, string>();
  for (const { field = '', issue = '' } of details) {
    const [, place, name] = /^scans\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
    if (place !== undefined && Number(place) < count)
      named.set(Number(place), `${name} ${issue}`.trim());
  }
  if (named.size > 0) return named;
  return new Map(Array.from({ length: count }, (_, place) => [place, message]));
}
