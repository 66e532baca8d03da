import { useAction } from '../../api/actions.ts';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { paymentsText as text } from '../../text/payments.ts';

/** Opens no more payments on the unit's own account. */
export function DisconnectDialog({ onClose }: { onClose: () => void }) {
  const toast = useToast();
  const action = useAction(() => {
    toast(text.disconnected);
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.disconnectTitle}
      consequence={text.disconnectText}
      confirmLabel={text.disconnectConfirm}
      onConfirm={() => void action.run({ command: 'paymentAccount.disconnect', input: {} })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}
