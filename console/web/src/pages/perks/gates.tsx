import type { Perk } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { TextLink } from '../../components/ui/link.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { paths } from '../../format/paths.ts';
import { perksText as text } from '../../text/perks.ts';
import { Matrix } from './matrix.tsx';
import { type Delivered, type Door, summarizeEntry, type Target } from './perks.rules.ts';
import type { Cells } from './use-cells.ts';

/** Doors × perks, each door with who gets in. `doors` and `delivered` are what the tables show. */
export function Gates({
  perks,
  doors,
  targets,
  delivered,
  cells,
  onPoint,
}: {
  perks: readonly Perk[];
  doors: readonly Door[];
  targets: readonly Target[];
  delivered: Delivered;
  cells: Cells;
  onPoint: (doorId: string | null) => void;
}) {
  const unit = useUnit();
  const event = useEvent();
  const isEditable = usePermission('design');
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
