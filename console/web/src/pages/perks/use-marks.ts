import { useSend } from '../../api/actions.ts';
import type { Perk } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { useToast } from '../../components/ui/toast.tsx';
import { perksText as text } from '../../text/perks.ts';
import type { Delivered, Door, Target } from './perks.rules.ts';
import { type Cells, useCells } from './use-cells.ts';

/** The marks of the table of ticket types, add-ons and codes. */
export function useDeliveryMarks(
  perks: readonly Perk[],
  targets: readonly Target[],
  saved: Delivered,
): Cells {
  const event = useEvent();
  const send = useSend();
  const toast = useToast();
  const cells = useCells({
    perkIds: perks.map(({ id }) => id),
    isSaved: (targetId, perkId) => saved.get(targetId)?.has(perkId) ?? false,
    async save({ rowId: targetId, perkId, isOn }) {
      const target = targets.find(({ id }) => id === targetId);
      const perk = perks.find(({ id }) => id === perkId);
      if (!target || !perk) return;
      const command = isOn ? 'perk.bind' : 'perk.unbind';
      const input = { eventId: event.id, perkId, targetType: target.type, targetId };
      await send({ command, input });
      const words = isOn ? text.bound : text.unbound;
      toast(words(target.name, perk.name), () => cells.set(targetId, perkId, !isOn));
    },
  });
  return cells;
}

/** The marks of the table of doors. */
export function useGateMarks(perks: readonly Perk[], saved: readonly Door[]): Cells {
  const event = useEvent();
  const send = useSend();
  const toast = useToast();
  const cells = useCells({
    perkIds: perks.map(({ id }) => id),
    isSaved: (doorId, perkId) =>
      saved.find(({ id }) => id === doorId)?.perkIds.includes(perkId) ?? false,
    async save({ rowId: doorId, perkId, isOn, marked }) {
      const door = saved.find(({ id }) => id === doorId);
      const perk = perks.find(({ id }) => id === perkId);
      if (!door || !perk) return;
      const input = { eventId: event.id, [`${door.type}Id`]: doorId, perkIds: marked };
      await send({ command: `${door.type}.update`, input });
      const words = isOn ? text.opened : text.closed;
      toast(words(door.name, perk.name), () => cells.set(doorId, perkId, !isOn));
    },
  });
  return cells;
}
