import { useState } from 'react';
import { common } from '../../text/common.ts';
import { Button } from './button.tsx';
import { CopyText } from './copy.tsx';
import { Dialog } from './dialog.tsx';

/**
 * Shows a secret, once: nothing stores it after this dialog is closed. Until it is copied, only a
 * button closes the dialog.
 */
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
  const [copied, setCopied] = useState<string | null>(null);
  return (
    <Dialog
      isOpen={secret !== null}
      isHeld={secret !== copied}
      onClose={onClose}
      title={title}
      description={description}
      footer={<Button onClick={onClose}>{common.done}</Button>}
    >
      {secret && (
        <CopyText
          text={secret}
          label={copyLabel}
          className="w-full bg-subtle p-3 !text-sm"
          onCopied={() => setCopied(secret)}
        />
      )}
    </Dialog>
  );
}
