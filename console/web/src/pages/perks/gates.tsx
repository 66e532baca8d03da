import { useSend } from '../../api/actions.ts';
import type { Perk } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { TextLink } from '../../components/ui/link.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { paths } from '../../format/paths.ts';
import { perksText as text } from '../../text/perks.ts';
import { Matrix } from './matrix.tsx';
import { type Delivered, type Door, summarizeEntry, type Target } from './rules.ts';
import { useCells } from './use-cells.ts';

/** Doors × perks, each door with who gets in. */
export function Gates({
  perks,
  doors,
  targets,
  delivered,
  onPoint,
}: {
  perks: readonly Perk[];
  doors: readonly Door[];
  targets: readonly Target[];
  delivered: Delivered;
  onPoint: (doorId: string | null) => void;
}) {
  const unit = useUnit();
  const event = useEvent();
  const send = useSend();
  const toast = useToast();
  const isEditable = usePermission('design');
  const cells = useCells({
    perkIds: perks.map(({ id }) => id),
    isSaved: (doorId, perkId) =>
      doors.find(({ id }) => id === doorId)?.perkIds.includes(perkId) ?? false,
    async save({ rowId: doorId, perkId, isOn, marked }) {
      const door = doors.find(({ id }) => id === doorId);
      const perk = perks.find(({ id }) => id === perkId);
      if (!door || !perk) return;
      const input = { eventId: event.id, [`${door.type}Id`]: doorId, perkIds: marked };
      await send({ command: `${door.type}.update`, input });
      const words = isOn ? text.opened : text.closed;
      toast(words(door.name, perk.name), () => cells.set(doorId, perkId, !isOn));
    },
  });
  return (
    <Section title={text.gates} description={text.gatesText} isFlush>
      {doors.length === 0 ? (
        <p className="px-4 pb-4 text-muted">
          {text.noDoors}{' '}
          <TextLink href={paths.eventPage(unit.id, event.id, 'program')}>{text.toProgram}</TextLink>
        </p>
      ) : (
        <Matrix
          label={text.gates}
          rowHeader={text.door}
          noteHeader={text.getsIn}
          perks={perks}
          rows={doors.map((door) => ({
            id: door.id,
            name: door.name,
            kind: text.doorKinds[door.type],
            note: entryText(door, targets, delivered),
          }))}
          cells={cells}
          isEditable={isEditable}
          onPoint={onPoint}
        />
      )}
    </Section>
  );
}

function entryText(door: Door, targets: readonly Target[], delivered: Delivered): string {
  const { isOpen, tickets, extras, partly } = summarizeEntry(door, targets, delivered);
  if (isOpen) return text.everyone;
  const parts = [
    tickets.join(', '),
    extras.length > 0 && text.withExtra(extras.join(', ')),
    partly.length > 0 && text.together(partly.join(', ')),
  ].filter(Boolean);
  return parts.length === 0 ? text.nobody : parts.join('; ');
}
