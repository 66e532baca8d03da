import { useState } from 'react';
import { useSend } from '../../api/actions.ts';
import type { BusinessUnit } from '../../api/records.ts';
import { useHasVerifiedEmails } from '../../api/session.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { SecretDialog } from '../../components/ui/secret-dialog.tsx';
import { platformText as text } from '../../text/platform.ts';

/** Whom a link is for: an administrator of the platform, or an owner of a business unit. */
export type Invited = { role: 'administrator' } | { role: 'owner'; unit: BusinessUnit };

/** Creates a link with `operator.invite`, and shows it once. */
export function InviteDialog({ invited, onClose }: { invited: Invited; onClose: () => void }) {
  const send = useSend();
  const hasEmails = useHasVerifiedEmails();
  const [link, setLink] = useState<string | null>(null);
  const form = useRecordForm<{ email: string }>({ email: '' }, async ({ email }) => {
    const address = email.trim();
    const input = {
      ...(invited.role === 'administrator'
        ? { platformAdmin: true }
        : { businessUnitId: invited.unit.id, role: 'owner' }),
      ...(address !== '' && { email: address }),
    };
    const created = await send<{ link: string }>({ command: 'operator.invite', input });
    setLink(created.link);
  });
  if (link !== null) {
    return (
      <SecretDialog
        secret={link}
        title={text.linkTitle}
        description={text.linkText}
        copyLabel={text.copyLink}
        onClose={onClose}
      />
    );
  }
  const title =
    invited.role === 'administrator' ? text.inviteAdmin : text.inviteOwnerOf(invited.unit.name);
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <RecordForm form={form} submitLabel={text.createLink} isInDialog>
        {hasEmails && (
          <TextField
            name="email"
            type="email"
            label={text.inviteEmail}
            help={text.inviteEmailHelp}
          />
        )}
      </RecordForm>
    </Dialog>
  );
}
