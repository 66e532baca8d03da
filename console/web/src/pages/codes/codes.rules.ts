import type { Discount } from '@event-api/contracts/http/redemption-codes';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Codes that look like those the server generates. They only show the form and are never created.
 */
export function exampleCodes(count: number): string[] {
  return Array.from({ length: count }, (_, row) =>
    Array.from(
      { length: 10 },
      (_, place) => alphabet[(row * 7 + place * 13 + row * place) % 32],
    ).join(''),
  );
}

/** What is typed in the dialog. */
export interface CodeValues {
  registrationTypeId: string | null;
  count: number | null;
  code: string;
  label: string;
  maxUses: number | null;
  expiresAt: string | null;
  discountType: 'percent' | 'amount' | null;
  percent: number | null;
  amount: number | null;
}

export const initialCode: CodeValues = {
  registrationTypeId: null,
  count: 1,
  code: '',
  label: '',
  maxUses: 1,
  expiresAt: null,
  discountType: null,
  percent: 10,
  amount: null,
};

export function discountOf({ discountType, percent, amount }: CodeValues): Discount | null {
  const value = discountType === 'percent' ? percent : amount;
  return discountType === null || value === null ? null : { type: discountType, value };
}

/** An own code is always one. */
export const countOf = ({ code, count }: CodeValues): number =>
  code.trim() === '' ? (count ?? 1) : 1;

export const codeBody = (values: CodeValues) => ({
  registrationTypeId: values.registrationTypeId,
  count: countOf(values),
  code: values.code.trim() || null,
  label: values.label || null,
  maxUses: values.maxUses,
  expiresAt: values.expiresAt,
  discount: discountOf(values),
});

/** The uses of all codes of a batch, of those that they allow. */
export const usesOf = (batch: { uses: number; maxUses: number | null; codes: number }) => ({
  uses: batch.uses,
  maxUses: batch.maxUses === null ? null : batch.maxUses * batch.codes,
});

/**
 * Whether a code contains the text, without case, and is for the ticket type. What is not given
 * fits every code.
 */
export const matchesCode =
  ({ text = '', ticketTypeId }: { text?: string | undefined; ticketTypeId?: string | undefined }) =>
  ({ code, registrationTypeId }: { code: string; registrationTypeId: string }): boolean =>
    code.toLowerCase().includes(text.trim().toLowerCase()) &&
    (!ticketTypeId || registrationTypeId === ticketTypeId);
