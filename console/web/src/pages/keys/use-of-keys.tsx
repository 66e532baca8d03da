import { type Cell, cellMark } from '@event-api/contracts/cells';
import { keyGroups } from '@event-api/contracts/permissions';
import { useSession } from '../../api/session.ts';
import { CopyText } from '../../components/ui/copy.tsx';
import { GuideLink } from '../../components/ui/guide-link.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { guidesText } from '../../text/guides.ts';
import { keysText as text } from '../../text/keys.ts';

/** How a program uses a key, and what a key can be restricted to. */
export function UseOfKeys() {
  const { gatewayUrl, cell = null } = useSession().data ?? {};
  return (
    <div className="mt-4 grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
      {gatewayUrl && <FirstRequest gatewayUrl={gatewayUrl} cell={cell} />}
      <Section title={text.permits} description={text.permitsText}>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2">
          {keyGroups.map((group) => (
            <div key={group} className="contents">
              <dt className="font-medium">{text.groups[group].label}</dt>
              <dd className="text-muted">{text.groups[group].help}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </div>
  );
}

function FirstRequest({ gatewayUrl, cell }: { gatewayUrl: string; cell: Cell }) {
  const address = new URL('/v1/events', gatewayUrl).href;
  const command = `curl ${address} -H "Authorization: Bearer sk_live_${cellMark(cell)}…"`;
  return (
    <Section title={text.firstRequest} description={text.firstRequestText}>
      <div className="flex flex-col gap-3">
        <p className="flex flex-wrap items-center gap-x-2 text-muted">
          {guidesText.baseUrl} <CopyText text={gatewayUrl} label={guidesText.copyBaseUrl} />
        </p>
        <CopyText
          text={command}
          label={text.copyCommand}
          className="w-full justify-between bg-subtle !px-3 py-2"
        />
        <GuideLink guide="quick-start" />
      </div>
    </Section>
  );
}
