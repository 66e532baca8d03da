import type { ReactNode } from 'react';
import { CheckboxListField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import type { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { common } from '../../text/common.ts';
import { programText as text } from '../../text/program.ts';
import { DeleteAction } from './delete-action.tsx';
import type { Program } from './program-data.ts';

/**
 * The dialog of a session, a speaker or a room: a form, and for an existing record a button that
 * deletes it.
 */
export function ProgramDialog({
  form,
  existing,
  addTitle,
  createLabel,
  onClose,
  children,
}: {
  form: ReturnType<typeof useRecordForm>;
  /** Null for a new record. */
  existing: {
    name: string;
    consequence: string;
    command: string;
    input: Record<string, unknown>;
  } | null;
  addTitle: string;
  createLabel: string;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog isOpen onClose={onClose} title={existing ? text.edit(existing.name) : addTitle}>
      <RecordForm
        form={form}
        submitLabel={existing ? common.save : createLabel}
        isInDialog
        extraAction={existing && <DeleteAction {...existing} onDone={onClose} />}
      >
        {children}
      </RecordForm>
    </Dialog>
  );
}

/** The perks that open the gate of a session or a room. */
export function GateField({ perks, help }: { perks: Program['perks']; help: string }) {
  if (perks.length === 0) return null;
  return (
    <CheckboxListField
      name="perkIds"
      label={text.fields.gate}
      help={help}
      choices={perks.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
