import { useAction } from '../../../api/actions.ts';
import { DangerDialog } from '../../../components/ui/danger-dialog.tsx';
import { useToast } from '../../../components/ui/toast.tsx';
import { registrationsText as text } from '../../../text/registrations.ts';

/** Cancels the registration of a person, and says before what follows. */
export function CancelDialog({
  name,
  path,
  onClose,
}: {
  name: string;
  path: string;
  onClose: () => void;
}) {
  const toast = useToast();
  const action = useAction(() => {
    toast(text.actions.cancel);
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.cancelTitle(name)}
      consequence={text.cancelText}
      confirmLabel={text.cancelConfirm(name)}
      onConfirm={() => void action.run({ method: 'POST', path: `${path}/cancel` })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}
