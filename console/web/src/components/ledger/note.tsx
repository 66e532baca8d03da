import { common } from '../../text/common.ts';
import { ordersText as text } from '../../text/orders.ts';

/** A note about a refund. */
export function Note({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <label className="flex flex-col gap-1">
      <span className="font-medium">
        {text.reason} <span className="font-normal text-muted">({common.optional})</span>
      </span>
      <input
        className="control"
        maxLength={200}
        value={value}
        onChange={(change) => onChange(change.target.value)}
      />
      <span className="text-muted">{text.reasonHelp}</span>
    </label>
  );
}
