import { useState } from 'react';
import { readPrefix, storePrefix } from '../scan/prefix.ts';
import { normalCode } from '../scan/repeat.ts';
import { text } from '../text/en.ts';

/** The setting of a scanner that types more than the code, with a field to try it. */
export function HardwareScanner() {
  const [prefix, setPrefix] = useState(readPrefix);
  const [typed, setTyped] = useState('');
  const read = normalCode(typed, prefix);
  return (
    <details className="hardware">
      <summary>{text.hardware}</summary>
      <p>{text.hardwareHelp}</p>
      <label>
        {text.prefix}
        <input
          value={prefix}
          autoComplete="off"
          spellCheck={false}
          maxLength={20}
          onChange={({ target }) => {
            storePrefix(target.value);
            setPrefix(target.value);
          }}
        />
      </label>
      <label>
        {text.tryScanner}
        <input
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
          // Its Tab or Enter ends the code, and must neither leave the field nor check it in.
          onKeyDown={(event) => {
            if (event.key === 'Enter' || (event.key === 'Tab' && typed !== '')) {
              event.preventDefault();
              event.currentTarget.select();
            }
          }}
        />
      </label>
      {read !== null && <p role="status">{text.readAs(read)}</p>}
    </details>
  );
}
