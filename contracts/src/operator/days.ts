import { z } from 'zod';

/** The longest period of days that a command sums. */
export const maxPeriodDays = 400;

const dayMs = 86_400_000;

const day = (description: string, example: string) =>
  z
    .string()
    .meta({ format: 'date', description, example })
    .check((ctx) => {
      const parsed = new Date(`${ctx.value}T00:00:00Z`);
      // The runtime parses 30 February as 2 March.
      const isDate =
        /^(19[7-9]\d|2\d{3})-\d{2}-\d{2}$/.test(ctx.value) &&
        !Number.isNaN(parsed.getTime()) &&
        parsed.toISOString().startsWith(ctx.value);
      if (isDate) return;
      const message = 'must be a date in the years 1970 to 2999, such as 2027-05-10';
      ctx.issues.push({ code: 'custom', message, input: ctx.value });
    });

/** The days of a command that sums by day: from `from` until the day before `to`. */
export const periodFields = {
  from: day('The first day', '2027-05-01'),
  to: day('The day after the last one', '2027-06-01'),
};

/** Checks that a body with the fields of a period has 1 to 400 days. */
export const checkPeriod: z.core.CheckFn<{ from: string; to: string }> = (ctx) => {
  if (ctx.issues.some(({ path }) => path?.[0] === 'from' || path?.[0] === 'to')) return;
  const days = (Date.parse(ctx.value.to) - Date.parse(ctx.value.from)) / dayMs;
  const issueOf = (message: string) =>
    ctx.issues.push({ code: 'custom', message, path: ['to'], input: ctx.value.to });
  if (days <= 0) issueOf('must be after from');
  if (days > maxPeriodDays) issueOf(`must be at most ${maxPeriodDays} days after from`);
};
