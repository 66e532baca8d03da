import { cellPath } from '@event-api/contracts/cells';
import { BookOpen } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import { guidesText as text } from '../../text/guides.ts';

/** A guide of the API, with the section that explains a page of the console. */
export type Guide = keyof typeof text.titles;

/**
 * A link to a guide of the API, in a tab of its own. Without the address of the gateway there is
 * none.
 */
export function GuideLink({ guide }: { guide: Guide }) {
  const { gatewayUrl, cell = null } = useSession().data ?? {};
  if (!gatewayUrl) return null;
  return (
    <a
      href={new URL(`${cellPath(cell)}/docs/guides/${guide}`, gatewayUrl).href}
      target="_blank"
      rel="noopener"
      className="inline-flex items-center gap-1.5 text-accent-ink underline-offset-2 hover:underline touch:min-h-11"
    >
      <BookOpen aria-hidden className="size-4" />
      {text.read(text.titles[guide])}
    </a>
  );
}
