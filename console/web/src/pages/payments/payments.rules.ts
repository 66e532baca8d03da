import type { PaymentAccount } from '../../api/records.ts';

/** What the page says about the payments of a unit. */
export type AccountSituation = 'platform' | 'missing' | 'own' | 'blocked';

/** Decides what the present account means for sales. */
export const situationOf = ({
  account,
  canCharge,
}: Pick<PaymentAccount, 'account' | 'canCharge'>): AccountSituation =>
  account === 'own' && !canCharge ? 'blocked' : account;

/** The words of a provider for what it needs: `individual.dob.day` reads "individual: dob: day". */
export const wordsOf = (missing: string): string =>
  missing.replaceAll('.', ': ').replaceAll('_', ' ');
