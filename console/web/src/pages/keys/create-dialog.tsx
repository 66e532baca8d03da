import { keyGroups } from '@event-api/contracts/permissions';
import { useStore } from '@tanstack/react-form';
import { useSend } from '../../api/actions.ts';
import { CheckboxField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { classes } from '../../components/ui/classes.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { keysText as text } from '../../text/keys.ts';
import { ExpiryField, NameField, RestrictionFields } from './key-fields.tsx';
import { inputOf, type KeyValues, newKey } from './keys.rules.ts';

/**
 * Creates a key: for the chosen purposes and events only, or an unrestricted one, which the dialog
 * says before.
 */
export function CreateDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (secret: string) => void;
}) {
  const send = useSend();
  const form = useRecordForm<KeyValues>(newKey, async (values) => {
    const input = { ...inputOf(values) };
    const { secret } = await send<{ secret: string }>({ command: 'key.create', input });
    onCreated(secret);
  });
  const values = useStore(form.api.store, (state) => state.values);
  const { groups: chosen, eventIds } = inputOf(values as unknown as KeyValues);
  return (
    <Dialog isOpen onClose={onClose} title={text.create}>
      <RecordForm
        form={form}
        submitLabel={chosen ? text.createRestricted : text.createUnrestricted}
        isInDialog
      >
        <NameField />
        {chosen && <RestrictionFields />}
        <CheckboxField
          name="isUnrestricted"
          label={text.permitEverything}
          help={text.permitEverythingHelp}
        />
        <ExpiryField />
        <p
          role="status"
          className={classes(
            'rounded-md px-3 py-2 text-sm',
            chosen ? 'bg-subtle' : 'bg-amber-soft text-amber',
          )}
        >
          {chosen
            ? text.isRestricted(
                keyGroups
                  .filter((group) => chosen.includes(group))
                  .map((group) => text.groups[group].label),
                eventIds?.length ?? null,
              )
            : text.isUnrestricted}
        </p>
      </RecordForm>
    </Dialog>
  );
}
