import { useStore } from '@tanstack/react-form';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useTicketTypes } from '../../api/event-data.ts';
import { useEvent } from '../../api/unit.ts';
import {
  CheckboxField,
  CheckboxListField,
  SelectField,
} from '../../components/form/choice-fields.tsx';
import { DateTimeField, MoneyField, NumberField } from '../../components/form/text-fields.tsx';
import type { RecordForm } from '../../components/form/use-record-form.ts';
import type { EditedBand } from '../../components/ledger/bands.rules.ts';
import { Button, IconButton } from '../../components/ui/button.tsx';
import { bandText as text } from '../../text/settings.ts';
import { nextBand } from './bands.rules.ts';
import { move } from './form.rules.ts';

const ends = Object.entries(text.ends).map(([value, label]) => ({ value, label }));

/** What the platform pays back for a cancelled seat, band by band. */
export function Bands({ form }: { form: RecordForm }) {
  const bands = useStore(form.api.store, ({ values }) => values.bands as EditedBand[]);
  const change = (next: EditedBand[]) => form.api.setFieldValue('bands', next as never);
  return (
    <>
      <div className="flex flex-col gap-1 text-sm">
        <h3 className="font-medium">{text.title}</h3>
        <p className="text-muted">{bands.length === 0 ? text.none : text.help}</p>
      </div>
      {bands.map((band, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields are read by their index
        <fieldset key={index} className="flex flex-col gap-3 rounded-md border border-line p-3">
          <legend className="px-1 text-sm font-medium">{text.band(index + 1)}</legend>
          <BandFields name={`bands[${index}]`} band={band} />
          <span className="flex justify-end gap-1">
            <IconButton
              icon={ArrowUp}
              label={text.up(index + 1)}
              onClick={() => change(move(bands, index, index - 1))}
            />
            <IconButton
              icon={ArrowDown}
              label={text.down(index + 1)}
              onClick={() => change(move(bands, index, index + 1))}
            />
            <IconButton
              icon={Trash2}
              label={text.remove(index + 1)}
              onClick={() => change(bands.toSpliced(index, 1))}
            />
          </span>
        </fieldset>
      ))}
      <div>
        <Button icon={Plus} onClick={() => change([...bands, nextBand(bands)])}>
          {text.add}
        </Button>
      </div>
      {bands.length > 0 && (
        <CheckboxField name="automatic" label={text.automatic} help={text.automaticHelp} />
      )}
    </>
  );
}

function BandFields({ name, band }: { name: string; band: EditedBand }) {
  const event = useEvent();
  const types = useTicketTypes().data?.ticketTypes ?? [];
  const choices = types
    .filter(({ id, status }) => status !== 'archived' || band.ticketTypeIds.includes(id))
    .map(({ id, name: label }) => ({ value: id, label }));
  return (
    <>
      <SelectField name={`${name}.end`} label={text.end} required choices={ends} />
      {band.end === 'days' ? (
        <NumberField
          name={`${name}.daysBeforeStart`}
          label={text.days}
          required
          minimum={0}
          maximum={3650}
        />
      ) : (
        <DateTimeField name={`${name}.until`} label={text.instant} zone={event.timezone} required />
      )}
      <NumberField
        name={`${name}.percent`}
        label={text.percent}
        required
        minimum={0}
        maximum={100}
      />
      <MoneyField
        name={`${name}.fixedFee`}
        label={text.fee}
        help={text.feeHelp}
        currency={event.currency}
        minimum={0}
      />
      {choices.length > 1 && (
        <CheckboxListField
          name={`${name}.ticketTypeIds`}
          label={text.types}
          help={text.typesHelp}
          choices={choices}
        />
      )}
    </>
  );
}
