import { type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError, NoPasskeyCreated } from '../../api/error.ts';
import { fieldWords, withFieldWords } from '../../format/field-words.ts';
import { common } from '../../text/common.ts';
import { errorText } from '../../text/errors.ts';
import { Button } from './button.tsx';
import { CopyText } from './copy.tsx';
import { type Guide, GuideLink } from './guide-link.tsx';

/** An empty list: what it is, why it is empty, one action, and the guide that explains it. */
export function Empty({
  icon: Icon,
  title,
  children,
  action,
  guide,
  isPart = false,
}: {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  guide?: Guide;
  /** It is one part of a page, and being empty is usual, so it takes little room. */
  isPart?: boolean;
}) {
  if (isPart) {
    return (
      <div className="flex items-start gap-3 px-4 pt-1 pb-4">
        {Icon && <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />}
        <div>
          <p className="font-medium">{title}</p>
          {children && <p className="text-muted">{children}</p>}
        </div>
      </div>
    );
  }
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      {Icon && <Icon aria-hidden className="size-6 text-muted" />}
      <p className="font-medium">{title}</p>
      {children && <p className="max-w-md text-muted">{children}</p>}
      {action && <div className="mt-2">{action}</div>}
      {guide && <GuideLink guide={guide} />}
    </div>
  );
}

/**
 * A gray bar where text will be. It appears after 300 ms, so that fast responses show no flicker.
 */
export const Skeleton = ({ className = '' }: { className?: string }) => (
  <span aria-hidden className={`appears-late pulses block h-4 rounded-sm bg-hover ${className}`} />
);

/**
 * Gray rows in place of a list. They are as high as the rows that come, which are cards on a phone,
 * so that what is below stays.
 */
export function SkeletonRows({ count = 8 }: { count?: number }) {
  return (
    <div role="status" aria-label={common.loading} className="divide-y divide-line">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={index} className="flex h-10 items-center gap-6 px-4 max-md:h-24">
          <Skeleton className="w-1/4" />
          <Skeleton className="w-1/3" />
          <Skeleton className="w-16" />
        </div>
      ))}
    </div>
  );
}

/** What an error means, in plain words. */
export function messageOf(error: Error): string {
  if (error instanceof NoPasskeyCreated) return errorText.noPasskey;
  if (!(error instanceof ApiError)) return errorText.byStatus.INTERNAL ?? error.message;
  const { reason, status, message } = error;
  if (reason && errorText.byReason[reason]) return errorText.byReason[reason];
  // The message of a refusal names the case; that of a failure is about the platform.
  if ([400, 404].includes(error.code) && error.details.length > 0) return issuesText(error);
  if ([400, 404, 409, 412].includes(error.code) && message) return withFieldWords(message);
  return errorText.byStatus[status] ?? (message || (errorText.byStatus.INTERNAL ?? ''));
}

/** What is wrong with the values, in the words of people. */
const issuesText = ({ details, message }: ApiError): string =>
  details
    .flatMap(({ field, issue }) =>
      field && issue ? sentence(`${fieldWords(field)} ${withFieldWords(issue)}`) : [],
    )
    .join(' ') || withFieldWords(message);

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/**
 * An error in place of what could not be read or done. `onRetry` is passed only where a repetition
 * is safe. It is not offered where it cannot help.
 */
export function ErrorNote({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  const isFinal = error instanceof ApiError && error.isFinal;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md bg-red-soft px-3 py-2 text-red"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 basis-48">{messageOf(error)}</span>
      {requestId && (
        <span className="flex items-center gap-1 text-xs">
          {errorText.requestId}
          <CopyText text={requestId} label={errorText.copyRequestId} />
        </span>
      )}
      {onRetry && !isFinal && (
        <Button kind="quiet" onClick={onRetry}>
          {common.tryAgain}
        </Button>
      )}
    </div>
  );
}
