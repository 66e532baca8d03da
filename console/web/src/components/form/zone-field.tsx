import { inOtherZone, viewerZone } from '../../format/time.ts';
import { SelectField } from './choice-fields.tsx';
import type { FieldProps } from './field.tsx';
import { useFormOfField } from './use-record-form.ts';
import { zoneChoices } from './zones.ts';

/**
 * A time zone. When another one is chosen, the fields `times` keep the wall clock that a person has
 * typed or sees.
 */
export function ZoneField({
  first,
  times,
  ...field
}: FieldProps & {
  /** The zone on top of the list. */
  first: string;
  /** The names of the fields whose times are in the zone. */
  times: readonly string[];
}) {
  const { api, dropIssue } = useFormOfField();
  const keepWallClocks = (to: string | null) => {
    const from = api.getFieldValue(field.name);
    if (typeof from !== 'string' || to === null) return;
    for (const name of times) {
      const value = api.getFieldValue(name);
      if (typeof value !== 'string') continue;
      api.setFieldValue(name, inOtherZone(value, from, to));
      dropIssue(name);
    }
  };
  return (
    <SelectField
      {...field}
      required
      choices={zoneChoices([first, viewerZone(), 'UTC'], Intl.supportedValuesOf('timeZone'))}
      onChosen={keepWallClocks}
    />
  );
}
