import { type ReactNode, useState } from 'react';
import { common } from '../../text/common.ts';
import { dangerText } from '../../text/danger.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './states.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

/**
 * Confirms an action that cannot be undone. `consequence` says in one sentence what happens to
 * whom; `confirmLabel` names the record. With `typedName`, the name must be typed first: only where
 * money or a published event ends.
 */
export function DangerDialog({
  isOpen,
  onClose,
  title,
  consequence,
  confirmLabel,
  closeLabel = common.cancel,
  onConfirm,
  isRunning,
  error,
  typedName,
  isDangerous = true,
  isReady = true,
  children,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  consequence: ReactNode;
  confirmLabel: string;
  /** Where "Cancel" could mean the action. */
  closeLabel?: string;
  onConfirm: () => void;
  isRunning: boolean;
  error: Error | null;
  typedName?: string;
  /** False for what cannot be undone and is meant to be done. */
  isDangerous?: boolean;
  /** False while what is to be confirmed is not known yet. */
  isReady?: boolean;
  children?: ReactNode;
}) {
  const [typed, setTyped] = useState('');
  const isConfirmed = typedName === undefined || typed.trim() === typedName;
  const close = () => {
    setTyped('');
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      description={consequence}
      footer={
        <>
          <Button onClick={close} disabled={isRunning}>
            {closeLabel}
          </Button>
          <Button
            kind={isDangerous ? 'danger' : 'primary'}
            isBusy={isRunning}
            disabled={!isConfirmed || !isReady}
            onClick={onConfirm}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {children}
        {typedName !== undefined && (
          <label className="flex flex-col gap-1">
            <span>{dangerText.typeName(typedName)}</span>
            <input
              className="control"
              value={typed}
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
            />
          </label>
        )}
        {error && <ErrorNote error={error} />}
        <UnsavedGuard isRunning={isRunning} hasFailed={error !== null} />
      </div>
    </Dialog>
  );
}
