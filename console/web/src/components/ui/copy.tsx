import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { common } from '../../text/common.ts';
import { classes } from './classes.ts';

const confirmationMs = 1500;

/** Text, such as an id, that a click copies. */
export function CopyText({
  text,
  label,
  short,
  className,
  onCopied,
}: {
  text: string;
  label: string;
  /** What is visible instead of the whole text. */
  short?: string;
  className?: string;
  onCopied?: () => void;
}) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const Icon = isCopied ? Check : Copy;
  return (
    <button
      type="button"
      title={short === undefined ? label : text}
      // What is visible is part of the name, so that speech input finds the button.
      aria-label={`${label}: ${short ?? text}`}
      onClick={() =>
        void copy(text).then(() => {
          setCopied(true);
          onCopied?.();
        })
      }
      className={classes(
        'inline-flex min-h-6 max-w-full items-center gap-1 rounded-sm px-1 font-mono text-xs hover:bg-hover touch:min-h-11 touch:min-w-11',
        className,
      )}
    >
      <span className="truncate">{short ?? text}</span>
      <Icon aria-hidden className="size-3 shrink-0" />
      <span role="status" className="sr-only">
        {isCopied ? common.copied : ''}
      </span>
    </button>
  );
}

/**
 * Copies text. Without a secure context the browser has no clipboard API, and a selected field is
 * copied.
 */
export async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
