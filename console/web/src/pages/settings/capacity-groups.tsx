import { useStore } from '@tanstack/react-form';
import type { UseQueryResult } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useTicketTypes } from '../../api/event-data.ts';
import type { TicketType } from '../../api/records.ts';
import { NumberField, TextField } from '../../components/form/text-fields.tsx';
import type { RecordForm } from '../../components/form/use-record-form.ts';
import { Button, IconButton } from '../../components/ui/button.tsx';
import { ErrorNote, Skeleton } from '../../components/ui/states.tsx';
import { capacityGroupText as text } from '../../text/settings.ts';
import { type EditedGroup, groupUse } from './capacity-groups.rules.ts';

const maxGroups = 50;

/** The capacities that ticket types share, row by row, with what is taken of each. */
export function CapacityGroups({ form }: { form: RecordForm }) {
  const types = useTicketTypes();
  const groups = useStore(form.api.store, ({ values }) => values.capacityGroups as EditedGroup[]);
  const change = (next: EditedGroup[]) => form.api.setFieldValue('capacityGroups', next as never);
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="text-sm font-medium">{text.title}</legend>
      <p className="text-sm text-muted">{text.help}</p>
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields are read by their index
        <fieldset key={index} className="flex flex-col gap-2 rounded-md border border-line p-3">
          <legend className="px-1 text-sm font-medium">{text.group(index + 1)}</legend>
          <GroupFields
            index={index}
            group={group}
            types={types}
            onRemove={() => change(groups.toSpliced(index, 1))}
          />
        </fieldset>
      ))}
      {types.error && groups.length > 0 && (
        <ErrorNote error={types.error} onRetry={() => void types.refetch()} />
      )}
      {groups.length < maxGroups && (
        <div>
          <Button
            icon={Plus}
            onClick={() => change([...groups, { id: null, name: '', capacity: null }])}
          >
            {text.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function GroupFields({
  index,
  group,
  types,
  onRemove,
}: {
  index: number;
  group: EditedGroup;
  types: UseQueryResult<{ ticketTypes: TicketType[] }>;
  onRemove: () => void;
}) {
  const use = types.data && groupUse(group.id, types.data.ticketTypes);
  const name = `capacityGroups[${index}]`;
  const isUsed = (use?.typeNames.length ?? 0) > 0;
  return (
    <>
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-40 flex-1">
          <TextField name={`${name}.name`} label={text.name} required maxLength={200} />
        </div>
        <NumberField
          name={`${name}.capacity`}
          label={text.seats}
          required
          minimum={1}
          maximum={1_000_000}
        />
        {!isUsed && (
          <IconButton
            icon={Trash2}
            label={text.remove(index + 1)}
            onClick={onRemove}
            className="mt-6"
          />
        )}
      </div>
      {types.isPending ? (
        <Skeleton className="w-2/3" />
      ) : (
        use && (
          <p className="text-sm text-muted">
            {text.taken(use.taken, group.capacity)} {text.types(use.typeNames)}
            {group.capacity !== null && use.taken > group.capacity && (
              <span className="block text-amber">{text.tooSmall}</span>
            )}
          </p>
        )
      )}
    </>
  );
}
