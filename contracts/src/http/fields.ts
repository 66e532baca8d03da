import { z } from 'zod';
import { htmlEmail, mailbox, maxEmailLength, normalEmail, withAsciiDomain } from '../email.ts';
import { countries } from './countries.ts';
import { currencies } from './currencies.ts';
import { parseInstant } from './instant.ts';
import { timezoneName } from './timezones.ts';

/** Limits that more than one resource shares. */
export const limits = {
  nameLength: 200,
  textLength: 2000,
  capacity: 1_000_000,
  /** In the currency's minor unit (cents for EUR, yen for JPY), like every amount of this API. */
  amount: 100_000_000,
  sortOrder: 10_000,
  pageRows: 1000,
  pageBytes: 2 * 1024 * 1024,
  bodyBytes: 1024 * 1024,
} as const;

/**
 * A string typed by a person: trimmed, then `min` to `max` code points. A lone surrogate or a NUL
 * is rejected, because PostgreSQL can store neither.
 */
export function text({ min, max }: { min: 0 | 1; max: number }) {
  return z
    .string()
    .trim()
    .check((ctx) => {
      const issue = storableIssue(ctx.value);
      if (issue) ctx.issues.push({ code: 'custom', message: issue, input: ctx.value });
      const length = codePoints(ctx.value, max);
      if (length < min) {
        ctx.issues.push({ code: 'too_small', minimum: min, origin: 'string', input: ctx.value });
      }
      if (length > max) {
        ctx.issues.push({ code: 'too_big', maximum: max, origin: 'string', input: ctx.value });
      }
    })
    .meta({ minLength: min, maxLength: max });
}

/**
 * A text of one line: without control characters, without the characters that override or isolate
 * its direction, and with at least one visible character. A bidi mark and the joiners of scripts
 * and emoji are a part of names.
 */
export const line = (size: { min: 0 | 1; max: number }) =>
  text(size).check((ctx) => {
    const message = lineIssue(ctx.value);
    if (message) ctx.issues.push({ code: 'custom', message, input: ctx.value });
  });

const controls = /(?!\0)[\p{Cc}\u2028\u2029]/u;
const directions = /[\u202a-\u202e\u2066-\u2069]/;
const visible = /[[\p{L}\p{N}\p{P}\p{S}\p{Co}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;

const directionIssue = 'must not contain characters that change the text direction';

function lineIssue(value: string): string | null {
  if (controls.test(value)) return 'must not contain line breaks or other control characters';
  if (directions.test(value)) return directionIssue;
  if (value !== '' && !isVisible(value)) return 'must have a visible character';
  return null;
}

/** Whether a reader sees anything of a text. */
export const isVisible = (value: string): boolean => visible.test(value);

/**
 * The reason why a text of several lines is not accepted, or null: it has control characters other
 * than tabs and line breaks, or characters that override or isolate its direction.
 */
export function paragraphIssue(value: string): string | null {
  if (controls.test(value.replaceAll(/[\t\n\r]/g, '')))
    return 'must not contain control characters';
  return directions.test(value) ? directionIssue : null;
}

/** The reason why PostgreSQL cannot store this string, or null if it can. */
export function storableIssue(value: string): string | null {
  if (value.includes('\0')) return 'must not contain NUL';
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  return null;
}

/** Counts code points, at most one more than `max`. */
function codePoints(value: string, max: number): number {
  if (value.length <= max) return [...value].length;
  let count = 0;
  for (const _ of value) {
    count += 1;
    if (count > max) break;
  }
  return count;
}

/**
 * An email address as HTML5 defines it, with the lengths of RFC 5321 and no empty part between
 * dots. An international domain becomes its A-label; otherwise it is only trimmed.
 */
export const email = () =>
  z
    .string()
    .trim()
    .overwrite(withAsciiDomain)
    .max(maxEmailLength)
    .regex(htmlEmail, 'must be an email address')
    .regex(mailbox, { abort: true, error: 'must be an email address' })
    .meta({ format: 'email', maxLength: maxEmailLength, example: 'ada@example.com' });

/** The form in which two typed codes or numbers are compared: letters in either case are equal. */
export const normalCode = (input: string): string => input.trim().toUpperCase();

/**
 * The code of a badge, scanned or typed. Codes are stored in the form in which they are compared.
 */
export const badgeCode = () =>
  text({ min: 1, max: 200 }).overwrite(normalCode).meta({ minLength: 1, maxLength: 200 });

export const name = () => line({ min: 1, max: limits.nameLength });
export const description = () =>
  text({ min: 0, max: limits.textLength }).meta({
    example: 'Talks, lunch and the evening programme.',
  });

/** An instant with its offset, in the years 1970 to 2999. Parsed to a `Date`. */
export function timestamp(example = '2027-05-10T09:00:00+02:00') {
  return z
    .string()
    .meta({ format: 'date-time', example })
    .transform((value, ctx) => {
      const instant = parseInstant(value);
      const year = instant?.getUTCFullYear() ?? 0;
      if (instant && year >= 1970 && year <= 2999) return instant;
      ctx.issues.push(
        instant
          ? { code: 'custom', message: 'must be in the years 1970 to 2999', input: value }
          : { code: 'invalid_format', format: 'datetime', input: value },
      );
      return z.NEVER;
    });
}

/** An IANA time zone name, parsed to the spelling of the time zone database. */
export function timezone() {
  return z
    .string()
    .meta({ example: 'Europe/Berlin' })
    .transform((value, ctx) => {
      const name = timezoneName(value);
      if (name) return name;
      const message = 'must be an IANA time zone name, such as Europe/Berlin';
      ctx.issues.push({ code: 'custom', message, input: value });
      return z.NEVER;
    });
}

/** An optional request field in which null means the same as leaving it out. */
export const nullIsAbsent = <Field extends z.ZodType>(field: Field) =>
  field
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();

/** A request field in which null, like leaving it out, means `absent`. */
export const nullIsDefault = <Field extends z.ZodType>(field: Field, absent: z.output<Field>) =>
  field
    .nullish()
    .transform((value) => value ?? absent)
    .meta({ default: absent });

/**
 * The kind of an item in a request. `ticket_type` means `registration_type`, because ticket types
 * are under `/ticket-types`. Responses have `registration_type`.
 */
export const itemType = <const Type extends string>(types: readonly Type[]) =>
  z
    .enum([...types, 'ticket_type'] as const)
    .transform((type) => (type === 'ticket_type' ? 'registration_type' : type) as Type)
    .meta({
      description: '`ticket_type` is a synonym of `registration_type`.',
      example: 'registration_type',
    });

type TypeId = z.ZodType<string | null | undefined, string | null | undefined>;

/**
 * A request in which `ticketTypeId` means `registrationTypeId`, because ticket types are under
 * `/ticket-types`. Responses have `registrationTypeId`.
 */
export function acceptsTicketTypeId<Shape extends { registrationTypeId: TypeId }>(
  request: z.ZodObject<Shape>,
) {
  const required = Object.entries<z.ZodType>(request.shape).flatMap(([name, field]) =>
    field.safeParse(undefined).success ? [] : name,
  );
  const isRequired = required.includes('registrationTypeId');
  const description = `A synonym of \`registrationTypeId\`.${isRequired ? ' One of them is required.' : ''}`;
  const synonym = request.shape.registrationTypeId.optional().meta({ description });
  const both = request.extend({ ticketTypeId: synonym });
  const schema = z.preprocess<unknown, typeof both, z.input<typeof both>>(withOneName, both);
  // The reference requires neither.
  return isRequired
    ? schema.meta({ required: required.filter((name) => name !== 'registrationTypeId') })
    : schema;
}

/** The request with `registrationTypeId` alone. Null means the same as leaving one out. */
function withOneName(request: unknown, ctx: z.core.$RefinementCtx): unknown {
  if (!hasSynonym(request)) return request;
  const { ticketTypeId, ...rest } = request;
  const registrationTypeId = rest.registrationTypeId ?? ticketTypeId;
  if (registrationTypeId !== (ticketTypeId ?? registrationTypeId)) {
    const message = 'must be the same as registrationTypeId, of which it is a synonym';
    ctx.issues.push({ code: 'custom', message, path: ['ticketTypeId'], input: ticketTypeId });
  }
  return { ...rest, registrationTypeId };
}

const hasSynonym = (
  request: unknown,
): request is { ticketTypeId: unknown; registrationTypeId?: unknown } =>
  typeof request === 'object' && request !== null && 'ticketTypeId' in request;

/**
 * Reports a field that other fields of the object make required. The message says when it is
 * required.
 */
export function requireField(ctx: z.core.ParsePayload, field: string, message: string): void {
  const params = { code: 'required' };
  ctx.issues.push({ code: 'custom', message, params, path: [field], input: undefined });
}

/** An ISO 4217 currency in use. */
export const currency = () =>
  z
    .enum(currencies, 'must be an ISO 4217 code in use, such as EUR')
    .meta({ description: 'ISO 4217 code', example: 'EUR' });

export const country = () =>
  z
    .enum(countries, 'must be an ISO 3166-1 alpha-2 code, such as DE')
    .meta({ description: 'ISO 3166-1 alpha-2 code', example: 'DE' });

/** An amount in the currency's minor unit. */
export const amount = () =>
  z.int().min(0).max(limits.amount).meta({ description: "In the currency's minor unit" });

export const sortOrder = () => z.int().min(0).max(limits.sortOrder).meta({ example: 10 });

/** An instant in a response: RFC 3339, UTC, milliseconds. */
export const timestampOut = (example = '2027-05-10T07:00:00.000Z') =>
  z.string().meta({ format: 'date-time', example });

/** The times between which tickets admit people, as a record has them. */
export const admissionTimes = {
  admissionOpensAt: timestampOut('2027-05-10T06:00:00.000Z')
    .nullable()
    .meta({ description: 'From when people are checked in. Null means at any time.' }),
  admissionClosesAt: timestampOut('2027-05-12T18:00:00.000Z')
    .nullable()
    .meta({ description: 'Until when people are checked in. Null means without an end.' }),
};

/** The same, as a request has them. */
export const admissionTimesInput = {
  admissionOpensAt: timestamp('2027-05-10T08:00:00+02:00').nullable(),
  admissionClosesAt: timestamp('2027-05-12T20:00:00+02:00').nullable(),
};

/** A TypeID: the prefix of its kind and 26 characters that sort by creation time. */
export const id = (prefix: string) =>
  z.string().meta({ example: `${prefix}_01k8zq4m3ne7rbj5t2xw9vd6ah` });

/** The rows of a page. A higher number is lowered to `max`. */
export const pageLimit = (max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,100}$/, { abort: true, error: 'must be a whole number of 1 or more' })
    .refine((value) => Number(value) >= 1, 'must be a whole number of 1 or more')
    .meta({
      type: 'integer',
      minimum: 1,
      description: `Rows per page. A value above ${max} means ${max}.`,
    })
    .transform((value) => Math.min(Number(value), max))
    .optional();

const pageQuery = {
  limit: pageLimit(limits.pageRows),
  cursor: text({ min: 1, max: 2000 })
    .optional()
    .meta({ description: 'The `nextCursor` of the previous page.' }),
};

/** A whole number in a query. */
export const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, { abort: true, error })
    .refine((value) => Number(value) >= min && Number(value) <= max, error)
    .transform(Number)
    .meta({ type: 'integer', minimum: min, maximum: max });
};

/** The query of every list. */
export const ListQuery = z.object(pageQuery);

/** Only records with this status. */
export const statusFilter = <const Statuses extends readonly string[]>(statuses: Statuses) =>
  z.enum(statuses).optional().meta({ description: 'Only records with this status.' });

/**
 * An email filter, in its compared form. Text that cannot be stored becomes an email that no record
 * has.
 */
export const emailFilter = (
  description = 'Only records with this email, compared without case. Text that is not an email finds nothing.',
) =>
  z
    .string()
    .meta({ description, example: 'ada@example.com' })
    .transform((value) => (storableIssue(value) ? '' : normalEmail(value)))
    .optional();

/** An id filter. */
export const idFilter = (description: string) =>
  text({ min: 1, max: 200 })
    .optional()
    .meta({ description: `${description} An id that names nothing finds nothing.` });

/** An instant in a query, where the `+` of an offset arrives as a space unless it is encoded. */
function queryTimestamp(example: string) {
  return z
    .string()
    .check((ctx) => {
      if (!ctx.value.includes(' ') || !parseInstant(ctx.value.replace(' ', '+'))) return;
      const message = 'must be sent with the + of its offset encoded as %2B';
      ctx.issues.push({ code: 'invalid_format', format: 'datetime', message, input: ctx.value });
    })
    .meta({ format: 'date-time', example })
    .pipe(timestamp(example));
}

/** The instant from which changes are listed. */
export const updatedSince = () =>
  queryTimestamp('2027-05-10T07:00:00Z')
    .optional()
    .meta({
      description:
        'Only records created or changed at this instant or later, oldest change first. A change can become visible ' +
        'a few seconds after its time, so let consecutive reads overlap by 10 seconds. A record that changes between ' +
        'two pages appears again on a later page. Send the `+` of an offset as `%2B`.',
    });

/** A bound of the time of a record. */
export const instantFilter = (description: string) =>
  queryTimestamp('2027-05-10T07:00:00Z')
    .optional()
    .meta({ description: `${description} Send the \`+\` of an offset as \`%2B\`.` });

/** `{ <key>: [...], nextCursor }`, the shape of every list. */
export function listOf<Key extends string, Item extends z.ZodType>(key: Key, item: Item) {
  const nextCursor = z
    .string()
    .nullable()
    .meta({ description: 'Null on the last page.', example: null });
  return z.object({ [key]: z.array(item), nextCursor } as Record<Key, z.ZodArray<Item>> & {
    nextCursor: typeof nextCursor;
  });
}

const perOrderText = {
  minPerOrder:
    'The fewest units that an order with a line of it may have. Null means no minimum. Not judged for a bundle alone, ' +
    'for a seat that was offered to a waitlisted person, and for a registration without an order.',
  maxPerOrder:
    'The most units that one order may have, those in bundles included. Null means no maximum.',
};

const perOrder = (field: keyof typeof perOrderText, example: number | null) =>
  z.int().nullable().meta({ description: perOrderText[field], example });

/** How many units an order may have of a ticket type or an add-on, as responses show it. */
export const perOrderLimits = {
  minPerOrder: perOrder('minPerOrder', null),
  maxPerOrder: perOrder('maxPerOrder', 10),
};

const perOrderInputOf = (field: keyof typeof perOrderText, example: number | null) =>
  z.int().min(1).max(100).nullable().meta({ description: perOrderText[field], example });

/** The same, as requests set it. */
export const perOrderLimitsInput = {
  minPerOrder: perOrderInputOf('minPerOrder', null),
  maxPerOrder: perOrderInputOf('maxPerOrder', 10),
};
