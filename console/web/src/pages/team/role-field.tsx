import { useStore } from '@tanstack/react-form';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { useFormOfField } from '../../components/form/use-record-form.ts';
import { roleText, teamText as text } from '../../text/team.ts';

const choices = Object.entries(roleText).map(([value, { label }]) => ({ value, label }));

/** The field `role`, with what the chosen role permits. */
export function RoleField() {
  const role = useStore(useFormOfField().api.store, ({ values }) => values.role);
  const chosen = roleText[role as keyof typeof roleText];
  return (
    <SelectField name="role" label={text.role} help={chosen.help} choices={choices} required />
  );
}
