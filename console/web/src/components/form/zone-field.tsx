import { inOtherZone } from '../../format/time.ts';
import { SelectField } from './choice-fields.tsx';
import type { FieldProps } from './field.tsx';
import { useFormOfField } from './use-record-form.ts';

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
  const zones = [...new Set([first, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
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
      choices={zones.map((name) => ({ value: name, label: name }))}
      onChosen={keepWallClocks}
    />
  );
}
