import { common } from '../../text/common.ts';
import { Button } from './button.tsx';
import { CopyText } from './copy.tsx';
import { Dialog } from './dialog.tsx';

/** Shows a secret, once: nothing stores it after this dialog is closed. */
export function SecretDialog({
  secret,
  title,
  description,
  copyLabel,
  onClose,
}: {
  /** Null while there is none to show. */
  secret: string | null;
  title: string;
  description: string;
  copyLabel: string;
  onClose: () => void;
}) {
  return (
    <Dialog
      isOpen={secret !== null}
      onClose={onClose}
      title={title}
      description={description}
      footer={<Button onClick={onClose}>{common.done}</Button>}
    >
      {secret && (
        <CopyText text={secret} label={copyLabel} className="w-full bg-subtle p-3 !text-sm" />
      )}
    </Dialog>
  );
}
