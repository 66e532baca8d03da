import type { Perk } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { TextLink } from '../../components/ui/link.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { paths } from '../../format/paths.ts';
import { perksText as text } from '../../text/perks.ts';
import { ticketsText } from '../../text/tickets.ts';
import { CodePicker } from './code-picker.tsx';
import { Matrix } from './matrix.tsx';
import {
  type CodeWithPerks,
  type Delivered,
  type Door,
  decideEntry,
  type Target,
} from './perks.rules.ts';
import type { Cells } from './use-cells.ts';

const colors = { opens: 'green', helps: 'amber', closed: undefined } as const;

/**
 * Ticket types, add-ons and codes × perks. While a door is pointed at, the rows that open it are
 * marked.
 */
export function Delivery({
  perks,
  targets,
  delivered,
  cells,
  door,
  onAddCode,
}: {
  perks: readonly Perk[];
  targets: readonly Target[];
  delivered: Delivered;
  cells: Cells;
  door: Door | null;
  onAddCode: (code: CodeWithPerks) => void;
}) {
  const unit = useUnit();
  const event = useEvent();
  const isEditable = usePermission('design');
  const mayReadCodes = usePermission('codes');
  const none: ReadonlySet<string> = new Set();
  return (
    <Section title={text.delivery} description={text.deliveryText} isFlush>
      {targets.length === 0 ? (
        <p className="px-4 pb-4 text-muted">
          {text.noTargets}{' '}
          <TextLink href={paths.eventPage(unit.id, event.id, 'tickets')}>
            {ticketsText.goTo}
          </TextLink>
        </p>
      ) : (
        <Matrix
          label={text.delivery}
          rowHeader={text.target}
          perks={perks}
          rows={targets.map(({ id, name, type }) => ({
            id,
            name,
            kind: text.kinds[type],
            highlight: door
              ? colors[decideEntry(door.gates, delivered.get(id) ?? none)]
              : undefined,
          }))}
          cells={cells}
          isEditable={isEditable}
        />
      )}
      {isEditable && mayReadCodes && targets.length > 0 && <CodePicker onPick={onAddCode} />}
    </Section>
  );
}
