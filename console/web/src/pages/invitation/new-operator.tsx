import { useClient } from '../../api/client.ts';
import { registerPasskey } from '../../api/passkeys.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { invitationText as text } from '../../text/invitation.ts';

/**
 * Makes the invited person an operator with a first passkey, in a console without an identity
 * provider.
 */
export function NewOperator({
  invitation,
  onSignedIn,
}: {
  invitation: string;
  onSignedIn: () => void;
}) {
  const client = useClient();
  const form = useRecordForm<{ name: string }>({ name: '' }, async ({ name }) => {
    await registerPasskey(client, { invitation, name: name.trim() });
    onSignedIn();
  });
  return (
    <section aria-label={text.newHere} className="mt-4 flex flex-col gap-2">
      <h2 className="font-semibold">{text.newHere}</h2>
      <p className="text-muted">{text.newHereText}</p>
      <RecordForm form={form} submitLabel={text.createPasskey} isInDialog>
        <TextField name="name" label={text.name} autoComplete="name" maxLength={200} required />
      </RecordForm>
    </section>
  );
}
