import { csvLine } from '@event-api/rules/csv-line';
import { discountedPrice } from '@event-api/rules/discounted-price';
import { useStore } from '@tanstack/react-form';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useSend } from '../../api/actions.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { RedemptionCode, TicketType } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import {
  DateTimeField,
  MoneyField,
  NumberField,
  TextField,
} from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { saveFile } from '../../components/list/export-button.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { formatMoney } from '../../format/money.ts';
import { codesText as text } from '../../text/codes.ts';
import { common } from '../../text/common.ts';
import { codeColumns } from './code-table.tsx';
import {
  type CodeValues,
  codeBody,
  countOf,
  discountOf,
  exampleCodes,
  initialCode,
} from './codes.rules.ts';

const words = text.fields;

/**
 * Creates one code or a batch, with a preview of the codes and of the price. Afterwards exactly
 * this batch can be downloaded.
 */
export function BatchDialog({
  types,
  onClose,
}: {
  types: readonly TicketType[];
  onClose: () => void;
}) {
  const event = useEvent();
  const { timezone, currency, publicId } = event;
  const path = useEventPath();
  const send = useSend();
  const [created, setCreated] = useState<RedemptionCode[] | null>(null);
  const form = useRecordForm<CodeValues>(initialCode, async (values) => {
    const { redemptionCodes } = await send<{ redemptionCodes: RedemptionCode[] }>({
      method: 'POST',
      path: `${path}/redemption-codes`,
      body: codeBody(values),
    });
    setCreated(redemptionCodes);
  });
  const values = useStore(form.api.store, (state) => state.values as unknown as CodeValues);
  const ownCode = values.code.trim();
  const columns = codeColumns(event, types);
  const download = () =>
    saveFile(`codes-${publicId}.csv`, [
      csvLine(columns.map(({ header }) => header)),
      ...(created ?? []).map((code) => csvLine(columns.map(({ value }) => value(code)))),
    ]);
  if (created) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={text.createdTitle(created.length)}
        footer={
          <>
            <Button icon={Download} onClick={download}>
              {text.download}
            </Button>
            <Button kind="primary" onClick={onClose}>
              {common.done}
            </Button>
          </>
        }
      >
        <CodeList codes={created.slice(0, 10).map(({ code }) => code)} />
      </Dialog>
    );
  }
  return (
    <Dialog isOpen isWide onClose={onClose} title={text.create}>
      <div className="grid gap-5 sm:grid-cols-[1.4fr_1fr]">
        <RecordForm form={form} submitLabel={text.createButton(countOf(values))} isInDialog>
          <SelectField
            name="registrationTypeId"
            label={words.ticket}
            required
            choices={types
              .filter(({ status }) => status !== 'archived')
              .map(({ id, name }) => ({ value: id, label: name }))}
          />
          <NumberField
            name="count"
            label={words.count}
            help={ownCode ? words.countOfOwn : words.countHelp}
            placeholder="1"
            isDisabled={ownCode !== ''}
            required
            minimum={1}
            maximum={1000}
          />
          <TextField
            name="code"
            label={words.code}
            help={words.codeHelp}
            pattern="^[A-Za-z0-9_-]{1,64}$"
          />
          <SelectField
            name="discountType"
            label={words.discountType}
            choices={[
              { value: 'percent', label: words.percent },
              { value: 'amount', label: words.amount },
            ]}
          />
          {values.discountType === 'percent' && (
            <NumberField name="percent" label={words.value} required minimum={1} maximum={100} />
          )}
          {values.discountType === 'amount' && (
            <MoneyField name="amount" label={words.amountValue} required currency={currency} />
          )}
          <NumberField
            name="maxUses"
            label={words.maxUses}
            help={words.maxUsesHelp}
            minimum={1}
            maximum={1_000_000}
          />
          <DateTimeField name="expiresAt" label={words.expiresAt} zone={timezone} />
          <TextField name="label" label={words.label} help={words.labelHelp} maxLength={200} />
        </RecordForm>
        <Preview values={values} types={types} currency={currency} />
      </div>
    </Dialog>
  );
}

function Preview({
  values,
  types,
  currency,
}: {
  values: CodeValues;
  types: readonly TicketType[];
  currency: string;
}) {
  const type = types.find(({ id }) => id === values.registrationTypeId);
  if (!type) return null;
  const price = formatMoney(type.priceAmount, currency);
  const after = formatMoney(discountedPrice(type.priceAmount, discountOf(values)), currency);
  const own = values.code.trim();
  return (
    <aside aria-label={text.preview} className="h-fit rounded-md bg-subtle p-3">
      <h3 className="font-medium">{text.preview}</h3>
      <p className="mt-1">{text.previewText(countOf(values), type.name)}</p>
      <p className="text-muted">
        {price === after ? text.samePrice(price) : text.priceAfter(price, after)}
      </p>
      <p className="mt-3 text-xs text-muted">{own ? text.ownCode : text.examples}</p>
      <CodeList codes={own ? [own] : exampleCodes(Math.min(10, countOf(values)))} />
    </aside>
  );
}

function CodeList({ codes }: { codes: readonly string[] }) {
  return (
    <ul className="mt-1 font-mono text-xs leading-5">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  );
}
