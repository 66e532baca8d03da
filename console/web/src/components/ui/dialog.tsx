import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { common } from '../../text/common.ts';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';

/** A modal dialog. Escape and the close button end it; the focus returns to where it came from. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  children,
  footer,
  isWide = false,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  isWide?: boolean;
}) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup
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
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-4">{children}</div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
              {footer}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
