import { useState } from 'react';
import { useSend } from '../../api/actions.ts';
import type { Member } from '../../api/records.ts';
import { useHasVerifiedEmails } from '../../api/session.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { SecretDialog } from '../../components/ui/secret-dialog.tsx';
import { teamText as text } from '../../text/team.ts';
import { RoleField } from './role-field.tsx';

interface Created {
  link: string | null;
  email: string | null;
}

/** Creates an invitation, and shows its link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const send = useSend();
  const hasEmails = useHasVerifiedEmails();
  const [created, setCreated] = useState<Created | null>(null);
  const form = useRecordForm<{ role: Member['role']; email: string }>(
    { role: 'organizer', email: '' },
    async ({ role, email }) => {
      const address = email.trim();
      const input = { role, ...(address !== '' && { email: address }) };
      setCreated(await send<Created>({ command: 'member.invite', input }));
    },
  );
  if (created) {
    return (
      <SecretDialog
        secret={created.link}
        title={text.linkTitle}
        description={created.email === null ? text.linkText : text.linkForEmail(created.email)}
        copyLabel={text.copyLink}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={text.invite}>
      <RecordForm form={form} submitLabel={text.inviteButton} isInDialog>
        <RoleField />
        {hasEmails && (
          <TextField name="email" type="email" label={text.email} help={text.emailHelp} />
        )}
      </RecordForm>
    </Dialog>
  );
}
