import { useCommandRead } from '../../api/api.queries.ts';
import type { TaxRate } from '../../api/records.ts';
import { usePermission } from '../../api/unit.ts';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { taxesText } from '../../text/taxes.ts';
import { ticketsText } from '../../text/tickets.ts';

const words = ticketsText.fields;

/** The tax rate of what is sold. One that is archived stays a choice for what has it. */
export function TaxRateField({
  taxRateId,
  isBundle,
}: {
  /** The rate that it has. */
  taxRateId: string | null;
  isBundle: boolean;
}) {
  const mayRead = usePermission('settings.read');
  const { data } = useCommandRead<{ taxRates: TaxRate[] }>(
    'taxRate.list',
    {},
    { isEnabled: mayRead },
  );
  const choices = (data?.taxRates ?? [])
    .filter(({ id, archivedAt }) => archivedAt === null || id === taxRateId)
    .map(({ id, name }) => ({ value: id, label: name }));
  const isMissing = taxRateId !== null && !choices.some(({ value }) => value === taxRateId);
  if (isMissing) choices.push({ value: taxRateId, label: taxesText.former });
  if (choices.length === 0) return null;
  const help = isBundle ? { help: words.bundleTaxHelp } : {};
  return <SelectField name="taxRateId" label={words.taxRate} choices={choices} {...help} />;
}
