/** One of several ways to refund, with what follows. */
export function Choice({
  id,
  label,
  help,
  chosen,
  onChoose,
}: {
  id: string;
  label: string;
  help?: string;
  chosen: string;
  onChoose: (id: string) => void;
}) {
  return (
    <label className="flex gap-2.5">
      <input
        type="radio"
        name="refund"
        className="mt-0.5 size-4 shrink-0 accent-accent touch:size-6"
        checked={chosen === id}
        onChange={() => onChoose(id)}
      />
      <span>
        {label}
        {help && <span className="block text-muted">{help}</span>}
      </span>
    </label>
  );
}
