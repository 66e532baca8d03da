import { useSend } from '../../api/actions.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { CopyText } from '../../components/ui/copy.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Facts } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { paymentsText as text } from '../../text/payments.ts';

/** Connects an account by its secret key. `path` is where its notifications are sent to. */
export function KeyDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const send = useSend();
  const toast = useToast();
  const form = useRecordForm({ secretKey: '', webhookSecret: '' }, async (input) => {
    await send({ command: 'paymentAccount.setKey', input });
    toast(text.keySaved);
    onClose();
  });
  return (
    <Dialog isOpen onClose={onClose} title={text.keyTitle}>
      <RecordForm form={form} submitLabel={text.keyConnect} isInDialog>
        <TextField
          name="secretKey"
          label={text.secretKey}
          help={text.keyHelp}
          type="password"
          isMonospace
          required
        />
        <TextField
          name="webhookSecret"
          label={text.webhookSecret}
          help={text.webhookHelp}
          type="password"
          isMonospace
          required
        />
        <Facts items={[[text.path, <CopyText key="path" text={path} label={text.copyPath} />]]} />
      </RecordForm>
    </Dialog>
  );
}
