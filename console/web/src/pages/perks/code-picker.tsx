import { useState } from 'react';
import { useRead } from '../../api/api.queries.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { RedemptionCode } from '../../api/records.ts';
import { Button } from '../../components/ui/button.tsx';
import { perksText as text } from '../../text/perks.ts';
import type { CodeWithPerks } from './perks.rules.ts';

/** Adds a code as a row, chosen by its text. The codes are read when the field is used. */
export function CodePicker({ onPick }: { onPick: (code: CodeWithPerks) => void }) {
  const [isUsed, setUsed] = useState(false);
  const [typed, setTyped] = useState('');
  const path = `${useEventPath()}/redemption-codes`;
  const list = useRead<{ redemptionCodes: RedemptionCode[] }>(
    path,
    { status: 'active', limit: 1000 },
    { isEnabled: isUsed },
  );
  const codes = list.data?.redemptionCodes ?? [];
  const wanted = typed.trim().toUpperCase();
  const found = codes.find(({ code }) => code.toUpperCase() === wanted);
  const isUnknown = wanted !== '' && list.data !== undefined && !found;
  return (
    <form
      className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!found) return;
        onPick({ id: found.id, code: found.code, label: found.label, perkIds: [] });
        setTyped('');
      }}
    >
      <input
        aria-label={text.codeHint}
        placeholder={text.codeHint}
        list="codes-without-perks"
        className="control w-56"
        value={typed}
        onFocus={() => setUsed(true)}
        onChange={(event) => setTyped(event.target.value)}
      />
      <datalist id="codes-without-perks">
        {codes.map(({ id, code, label }) => (
          <option key={id} value={code}>
            {label}
          </option>
        ))}
      </datalist>
      <Button type="submit" disabled={!found}>
        {text.addCode}
      </Button>
      <span role="status" className="text-muted">
        {isUnknown ? text.unknownCode : ''}
      </span>
    </form>
  );
}
