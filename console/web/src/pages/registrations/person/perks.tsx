import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { useRead } from '../../../api/api.queries.ts';
import { usePerks } from '../../../api/event-data.ts';
import type { EffectivePerk, Registration } from '../../../api/records.ts';
import { useEvent, usePermission } from '../../../api/unit.ts';
import { IconButton } from '../../../components/ui/button.tsx';
import { DangerDialog } from '../../../components/ui/danger-dialog.tsx';
import { ActionMenu } from '../../../components/ui/menu.tsx';
import { ErrorNote, Skeleton } from '../../../components/ui/states.tsx';
import { Section } from '../../../components/ui/surface.tsx';
import { useToast } from '../../../components/ui/toast.tsx';
import { personText } from '../../../text/person.ts';
import { registrationsText as text } from '../../../text/registrations.ts';

interface NamedPerk {
  id: string;
  name: string;
}

/** The perks of a person, each with where it comes from. Those of the person alone can be changed. */
export function Perks({ person, path }: { person: Registration; path: string }) {
  const query = useRead<{ perks: EffectivePerk[] }>(path);
  const eventId = useEvent().id;
  const mayGrant = usePermission('design');
  const offered = usePerks().data?.perks ?? [];
  const toast = useToast();
  const [revoked, setRevoked] = useState<NamedPerk | null>(null);
  const perks = query.data?.perks ?? [];
  const held = new Set(perks.map(({ id }) => id));
  const grant = useAction();
  const revocation = useAction();
  const inputOf = (perkId: string) => ({ eventId, registrationId: person.id, perkId });
  const give = async ({ id, name }: NamedPerk) => {
    const isGranted = await grant.run({ command: 'perk.grant', input: inputOf(id) });
    if (isGranted) toast(personText.granted(name));
  };
  const takeBack = async ({ id, name }: NamedPerk) => {
    if (!(await revocation.run({ command: 'perk.revoke', input: inputOf(id) }))) return;
    setRevoked(null);
    toast(personText.takenBack(name), () => void give({ id, name }));
  };
  return (
    <Section
      title={text.perks}
      actions={
        mayGrant &&
        query.data && (
          <ActionMenu
            label={personText.grantPerk}
            icon={Plus}
            actions={offered
              .filter(({ id }) => !held.has(id))
              .map(({ id, name }) => ({ label: name, onSelect: () => void give({ id, name }) }))}
          />
        )
      }
    >
      {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      {grant.error && <ErrorNote error={grant.error} />}
      {query.isPending && <Skeleton className="w-1/2" />}
      {query.data && perks.length === 0 && <p className="text-muted">{text.noPerks}</p>}
      <ul className="flex flex-col">
        {perks.map((perk) => (
          <li key={perk.id} className="flex min-h-8 items-center gap-2">
            <span className="min-w-0 wrap-anywhere">
              {perk.name}{' '}
              <span className="text-muted">
                {perk.sources.map(({ type }) => text.from[type]).join(', ')}
              </span>
            </span>
            {mayGrant && perk.sources.some(({ type }) => type === 'grant') && (
              <IconButton
                icon={X}
                label={personText.takeBack(perk.name)}
                onClick={() => setRevoked(perk)}
              />
            )}
          </li>
        ))}
      </ul>
      <DangerDialog
        isOpen={revoked !== null}
        onClose={() => setRevoked(null)}
        title={personText.takeBackTitle(revoked?.name ?? '', person.name ?? text.unnamed)}
        consequence={personText.takeBackText}
        confirmLabel={personText.takeBack(revoked?.name ?? '')}
        onConfirm={() => revoked && void takeBack(revoked)}
        isRunning={revocation.isRunning}
        error={revocation.error}
      />
    </Section>
  );
}
