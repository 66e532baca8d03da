import type { KeyGroup } from '@event-api/contracts/permissions';
import { useSend } from '../../api/actions.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { keysText as text } from '../../text/keys.ts';
import { ExpiryField, NameField, RestrictionFields } from './key-fields.tsx';
import { changeOf, type KeyValues } from './keys.rules.ts';

export interface EditedKey {
  id: string;
  name: string;
  groups: readonly KeyGroup[] | null;
  eventIds: readonly string[] | null;
  expiresAt: string | null;
}

/** Changes a key. The secret stays. An unrestricted key cannot become restricted. */
export function EditDialog({ apiKey, onClose }: { apiKey: EditedKey; onClose: () => void }) {
  const { id, name, groups, eventIds, expiresAt } = apiKey;
  const send = useSend();
  const toast = useToast();
  const isUnrestricted = groups === null;
  const form = useRecordForm<KeyValues>(
    {
      name,
      expiresAt,
      isUnrestricted,
      groups: [...(groups ?? [])],
      eventIds: [...(eventIds ?? [])],
    },
    async (values, changed) => {
      await send({ command: 'key.update', input: { id, ...changeOf(changed) } });
      toast(text.saved(values.name));
      onClose();
    },
  );
  return (
    <Dialog isOpen onClose={onClose} title={text.editTitle(name)} description={text.editText}>
      <RecordForm form={form} submitLabel={common.save} isInDialog>
        <NameField />
        {isUnrestricted ? (
          <p className="rounded-md bg-subtle px-3 py-2 text-sm">{text.staysUnrestricted}</p>
        ) : (
          <RestrictionFields />
        )}
        <ExpiryField />
      </RecordForm>
    </Dialog>
  );
}
