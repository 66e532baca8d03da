import { useSend, useSubmission } from '../../api/actions.ts';
import { useEventPath } from '../../api/event-data.ts';
import { useEvent } from '../../api/unit.ts';
import {
  CheckboxField,
  CheckboxListField,
  SelectField,
} from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import {
  DateTimeField,
  MoneyField,
  NumberField,
  TextAreaField,
  TextField,
} from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { ticketsText } from '../../text/tickets.ts';
import type { SoldItems } from './bundle-section.tsx';
import {
  type EditedItem,
  furtherWrites,
  type ItemValues,
  valuesOf,
  writeOf,
} from './item-values.ts';
import { TaxRateField } from './tax-rate-field.tsx';

const titles = {
  ticket: ticketsText.addType,
  addon: ticketsText.addAddon,
  bundle: ticketsText.addBundle,
};
const words = ticketsText.fields;

/** Creates or changes a ticket type, an add-on or a bundle. */
export function ItemDialog({
  edited,
  items,
  position,
  onClose,
}: {
  edited: EditedItem;
  items: SoldItems;
  /** The place of a new item. */
  position: number;
  onClose: () => void;
}) {
  const path = useEventPath();
  const submit = useSubmission(useSend());
  const toast = useToast();
  const { kind, record } = edited;
  const form = useRecordForm<ItemValues>(valuesOf(edited, position), async (values, changed) => {
    const saved = await submit(async (once) => {
      const write = writeOf(edited, values, changed, path);
      const { id, name } = await once<{ id: string; name: string }>(write);
      for (const each of furtherWrites(edited, values, id, path)) await once(each);
      return { name };
    });
    toast(record ? ticketsText.saved(saved.name) : ticketsText.created(saved.name));
    onClose();
  });
  return (
    <Dialog isOpen onClose={onClose} title={record ? ticketsText.edit(record.name) : titles[kind]}>
      <RecordForm form={form} submitLabel={record ? common.save : ticketsText.create} isInDialog>
        <ItemFields
          kind={kind}
          isNew={record === null}
          items={items}
          taxRateId={record?.taxRateId ?? null}
        />
      </RecordForm>
    </Dialog>
  );
}

function ItemFields({
  kind,
  isNew,
  items,
  taxRateId,
}: {
  kind: EditedItem['kind'];
  isNew: boolean;
  items: SoldItems;
  /** The rate that it has. */
  taxRateId: string | null;
}) {
  const { currency, timezone, capacityGroups } = useEvent();
  const choices = [...items.ticketTypes, ...items.addons]
    .filter(({ status }) => status !== 'archived')
    .map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <TextField name="name" label={words.name} required maxLength={200} />
      <TextAreaField name="description" label={words.description} maxLength={2000} rows={2} />
      {kind === 'bundle' ? (
        <>
          <CheckboxListField name="items" label={words.items} choices={choices} required />
          <MoneyField
            name="priceAmount"
            label={words.bundlePrice}
            help={words.bundlePriceHelp}
            currency={currency}
          />
        </>
      ) : (
        <MoneyField name="priceAmount" label={words.price} currency={currency} required />
      )}
      <TaxRateField taxRateId={taxRateId} isBundle={kind === 'bundle'} />
      {kind !== 'bundle' && (
        <>
          <NumberField
            name="capacity"
            label={kind === 'addon' ? words.units : words.capacity}
            help={words.capacityHelp}
            minimum={1}
            maximum={1_000_000}
          />
          <DateTimeField name="opensAt" label={words.opensAt} zone={timezone} />
          <DateTimeField name="closesAt" label={words.closesAt} zone={timezone} />
          <NumberField
            name="minPerOrder"
            label={words.minPerOrder}
            help={words.minPerOrderHelp}
            minimum={1}
            maximum={100}
          />
          <NumberField
            name="maxPerOrder"
            label={words.maxPerOrder}
            help={words.maxPerOrderHelp}
            minimum={1}
            maximum={100}
          />
        </>
      )}
      {kind === 'ticket' && (
        <>
          {capacityGroups.length > 0 && (
            <SelectField
              name="capacityGroupId"
              label={words.capacityGroup}
              help={words.capacityGroupHelp}
              choices={capacityGroups.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
          <DateTimeField
            name="admissionOpensAt"
            label={words.admissionOpensAt}
            help={words.admissionHelp}
            zone={timezone}
          />
          <DateTimeField
            name="admissionClosesAt"
            label={words.admissionClosesAt}
            help={words.admissionHelp}
            zone={timezone}
          />
          <CheckboxField name="allowWaitlist" label={words.allowWaitlist} />
          <CheckboxField name="requiresApproval" label={words.requiresApproval} />
          <CheckboxField name="isPublic" label={words.isPublic} help={words.isPublicHelp} />
        </>
      )}
      {isNew && <CheckboxField name="openNow" label={words.openNow} />}
    </>
  );
}
