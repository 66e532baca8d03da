import { useState } from 'react';
import { useAddons, useBundles, useTicketTypes } from '../../api/event-data.ts';
import { useUnit } from '../../api/unit.ts';
import { PageHeader } from '../../components/ui/surface.tsx';
import { ticketsText } from '../../text/tickets.ts';
import { AddonSection } from './addon-section.tsx';
import { BundleSection } from './bundle-section.tsx';
import { ItemDialog } from './item-dialog.tsx';
import type { EditedItem } from './item-values.ts';
import { nextPlace } from './order.rules.ts';
import { TicketSection } from './ticket-section.tsx';

/** What the event sells: ticket types, add-ons and bundles. */
export function TicketsPage() {
  const mayWrite = useUnit().permissions.includes('catalog.write');
  const types = useTicketTypes();
  const addons = useAddons();
  const bundles = useBundles();
  const [edited, setEdited] = useState<EditedItem | null>(null);
  const onEdit = mayWrite ? setEdited : null;
  const items = {
    ticketTypes: types.data?.ticketTypes ?? [],
    addons: addons.data?.addons ?? [],
  };
  const lists = {
    ticket: items.ticketTypes,
    addon: items.addons,
    bundle: bundles.data?.bundles ?? [],
  };
  return (
    <>
      <PageHeader title={ticketsText.title} />
      <div className="flex flex-col gap-4">
        <TicketSection query={types} onEdit={onEdit} />
        <AddonSection query={addons} onEdit={onEdit} />
        <BundleSection query={bundles} items={items} onEdit={onEdit} />
      </div>
      {edited && (
        <ItemDialog
          edited={edited}
          items={items}
          position={nextPlace(lists[edited.kind])}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
