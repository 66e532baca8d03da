import { type TaxMode, taxModes } from '@event-api/contracts/http/tax-rates';
import { useSend } from '../../api/actions.ts';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { NumberField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { taxesText as text } from '../../text/taxes.ts';

interface RateValues {
  name: string;
  /** As it is typed: 19 is 19 %. */
  percentage: number | null;
  mode: TaxMode;
}

const newRate: RateValues = { name: '', percentage: null, mode: 'inclusive' };

/** Creates a tax rate. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const send = useSend();
  const toast = useToast();
  const form = useRecordForm<RateValues>(newRate, async ({ name, percentage, mode }) => {
    const basisPoints = Math.round((percentage ?? 0) * 100);
    const input = { name, percentage: basisPoints, mode };
    await send({ command: 'taxRate.create', input });
    toast(text.created(name));
    onClose();
  });
  const words = text.fields;
  return (
    <Dialog isOpen onClose={onClose} title={text.create}>
      <RecordForm form={form} submitLabel={text.create} isInDialog>
        <TextField name="name" label={words.name} help={words.nameHelp} required maxLength={200} />
        <NumberField
          name="percentage"
          label={words.percentage}
          isInteger={false}
          minimum={0}
          maximum={100}
          required
        />
        <SelectField
          name="mode"
          label={words.mode}
          choices={taxModes.map((mode) => ({ value: mode, label: text.modes[mode] }))}
          required
        />
      </RecordForm>
    </Dialog>
  );
}
