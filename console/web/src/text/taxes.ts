import type { TaxMode } from '@event-api/contracts/http/tax-rates';

export const taxesText = {
  title: 'Tax rates',
  description: 'Tickets, add-ons and bundles name one. A rate never changes: create another one.',
  create: 'New tax rate',
  fields: {
    name: 'Name',
    nameHelp: 'As buyers read it, such as “VAT 19 %”',
    percentage: 'Percentage',
    mode: 'Prices',
  },
  modes: {
    inclusive: 'include the tax',
    exclusive: 'are without it, and it is added',
  } satisfies Record<TaxMode, string>,
  columns: { name: 'Name', percentage: 'Rate', mode: 'Prices', created: 'Created', actions: '' },
  percent: (basisPoints: number) => `${basisPoints / 100} %`,
  created: (name: string) => `${name} is created`,
  archivedAt: 'Archived',
  archive: 'Archive',
  archiveTitle: (name: string) => `Archive ${name}?`,
  archiveText: 'What has it stays taxed with it. Nothing else can get it. This cannot be undone.',
  archiveConfirm: (name: string) => `Archive ${name}`,
  archived: (name: string) => `${name} is archived`,
  empty: 'No tax rates yet',
  emptyText: 'Without one, orders have no tax.',
  /** The rate of an item that is archived, or cannot be read. */
  former: 'An archived rate',
} as const;
