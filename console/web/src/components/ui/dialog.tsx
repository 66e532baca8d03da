import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { common } from '../../text/common.ts';
import { dangerText } from '../../text/danger.ts';
import { Button, IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { losesNothing, UnsavedContext } from './unsaved.ts';

const firstField = ['input', 'select', 'textarea'].map((tag) => `${tag}:enabled`).join(', ');
const firstAction = 'button:enabled, a[href]';

/**
 * A modal dialog. It begins at its first field, except after a touch, which would open the keyboard
 * of the screen. Without a field it begins at its first action, which is never the dangerous one. Escape, the close button and a click outside end it; the focus returns to where it
 * came from. With an `UnsavedGuard` in it, it asks before text is lost, and stays open while a
 * request is running. With `isHeld`, only a button closes it.
 */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  children,
  footer,
  isWide = false,
  isHeld = false,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  isWide?: boolean;
  /** Neither Escape nor a click outside closes it. */
  isHeld?: boolean;
}) {
  const unsaved = useRef(losesNothing);
  const content = useRef<HTMLDivElement>(null);
  const footerBox = useRef<HTMLElement>(null);
  const [isConfirming, setConfirming] = useState(false);
  const onOpenChange = (open: boolean, { reason }: { reason: string }) => {
    if (open || (isHeld && reason !== 'close-press')) return;
    const lost = unsaved.current();
    if (lost === 'text') setConfirming(true);
    else if (lost === 'nothing') onClose();
  };
  const leave = () => {
    setConfirming(false);
    onClose();
  };
  return (
    <Base.Root open={isOpen} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup
          initialFocus={(openType) =>
            openType === 'touch' ||
            (content.current?.querySelector<HTMLElement>(firstField) ??
              content.current?.querySelector<HTMLElement>(firstAction) ??
              footerBox.current?.querySelector<HTMLElement>(firstAction) ??
              true)
          }
          className={classes(
            'fixed inset-x-0 bottom-0 z-50 mx-auto flex max-h-[90dvh] w-full flex-col rounded-t-xl border border-line bg-surface shadow-xl sm:inset-x-4 sm:top-[10dvh] sm:bottom-auto sm:max-h-[80dvh] sm:rounded-lg',
            isWide ? 'sm:max-w-3xl' : 'sm:max-w-lg',
          )}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-2">
            <div>
              <Base.Title className="text-base font-semibold">{title}</Base.Title>
              {description && (
                <Base.Description className="mt-1 text-muted">{description}</Base.Description>
              )}
            </div>
            <Base.Close render={<IconButton icon={X} label={common.close} />} />
          </header>
          <div ref={content} className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-4">
            <UnsavedContext value={unsaved}>{children}</UnsavedContext>
          </div>
          {footer && (
            <footer
              ref={footerBox}
              className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3"
            >
              {footer}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
      {isConfirming && (
        <UnsavedQuestion isOpen onStay={() => setConfirming(false)} onLeave={leave} />
      )}
    </Base.Root>
  );
}

/** Asks whether to lose what was typed. */
export function UnsavedQuestion({
  isOpen,
  onStay,
  onLeave,
}: {
  isOpen: boolean;
  onStay: () => void;
  onLeave: () => void;
}) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onStay}
      title={dangerText.unsavedTitle}
      description={dangerText.unsavedText}
      footer={
        <>
          <Button onClick={onStay}>{dangerText.stay}</Button>
          <Button kind="danger" onClick={onLeave}>
            {dangerText.leave}
          </Button>
        </>
      }
    />
  );
}
