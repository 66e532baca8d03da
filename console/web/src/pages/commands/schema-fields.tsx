import { useStore } from '@tanstack/react-form';
import { Plus, Trash2 } from 'lucide-react';
import type { Schema } from '../../api/api.commands.ts';
import { useOptionalUnit, useZone } from '../../api/unit.ts';
import { CheckboxField, SelectField } from '../../components/form/choice-fields.tsx';
import { Field, type FieldProps } from '../../components/form/field.tsx';
import { fieldId } from '../../components/form/field-id.ts';
import {
  DateTimeField,
  NumberField,
  TextAreaField,
  TextField,
} from '../../components/form/text-fields.tsx';
import { useFieldLabel, useFormOfField } from '../../components/form/use-record-form.ts';
import { Button, IconButton } from '../../components/ui/button.tsx';
import { commandsText } from '../../text/text.commands.ts';
import { labelOf } from './labels.ts';
import { Prose } from './prose.tsx';
import { ReferenceField } from './reference-field.tsx';
import { decideKind, initialValue, requiredFirst, resolve } from './schema-rules.ts';

/**
 * The fields of the input of a command. The unit and the event come from the page where it has
 * them. The next page of a list is read below the response.
 */
export function SchemaFields({ schema }: { schema: Schema }) {
  const unit = useOptionalUnit();
  const properties = requiredFirst(schema).filter(
    ([name]) => !(unit && name === 'businessUnitId') && name !== 'cursor',
  );
  if (properties.length === 0) return <p className="text-sm text-muted">{commandsText.noFields}</p>;
  return properties.map(([name, property]) => (
    <SchemaField
      key={name}
      path={name}
      name={name}
      schema={property}
      root={schema}
      isRequired={(schema.required ?? []).includes(name)}
    />
  ));
}

interface SchemaFieldProps {
  /** The path of the value in the form. */
  path: string;
  name: string;
  schema: Schema;
  root: Schema;
  isRequired: boolean;
}

function SchemaField({ path, name, schema, root, isRequired }: SchemaFieldProps) {
  const zone = useZone();
  const resolved = resolve(schema, root);
  const decided = decideKind(schema, root);
  const field: FieldProps = {
    ...rulesOf(resolved),
    name: path,
    label: labelOf(name),
    required: isRequired,
    ...(says(resolved.description, name) && { help: <Prose text={resolved.description} /> }),
  };
  switch (decided.kind) {
    case 'constant':
      return null;
    case 'reference':
      return <ReferenceField {...field} to={decided.to} />;
    case 'choice':
      return (
        <SelectField
          {...field}
          choices={decided.values.map((value) => ({ value, label: labelOf(value) }))}
        />
      );
    case 'boolean':
      return (
        <CheckboxField
          name={path}
          label={field.label}
          {...(resolved.description && { help: resolved.description })}
        />
      );
    case 'number':
      return <NumberField {...field} isInteger={decided.isInteger} />;
    case 'instant':
      return <DateTimeField {...field} zone={zone} />;
    case 'date':
      return <TextField {...field} type="date" />;
    case 'text':
      return decided.isLong ? (
        <TextAreaField {...field} />
      ) : (
        <TextField {...field} type={resolved.format === 'email' ? 'email' : 'text'} />
      );
    case 'list':
      return <ListField field={field} items={decided.items} root={root} />;
    case 'object':
      return (
        <Group label={field.label} help={field.help}>
          {decided.properties.map(([child, property]) => (
            <SchemaField
              key={child}
              path={`${path}.${child}`}
              name={child}
              schema={property}
              root={root}
              // An optional group may stay empty as a whole.
              isRequired={isRequired && decided.required.includes(child)}
            />
          ))}
        </Group>
      );
    case 'union':
    case 'json':
      return <JsonField {...field} />;
  }
}

/** Whether a description says more than the label: "The perk" does not. */
const says = (description: string | undefined, name: string): description is string =>
  description !== undefined && !new RegExp(`^(an?|the) ${labelOf(name)}$`, 'i').test(description);

function Group({
  id,
  label,
  help,
  children,
}: {
  id?: string;
  label: string;
  help?: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <fieldset
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      className="flex flex-col gap-3 rounded-md border border-line p-3"
    >
      <legend className="px-1 text-sm font-medium">{label}</legend>
      {help && <p className="text-sm text-muted">{help}</p>}
      {children}
    </fieldset>
  );
}

/** Several values of one kind, with buttons to add and remove. */
function ListField({ field, items, root }: { field: FieldProps; items: Schema; root: Schema }) {
  const form = useFormOfField();
  useFieldLabel(field.name, field.label);
  const values = useStore(form.api.store, () => form.api.getFieldValue(field.name)) as unknown;
  const list = Array.isArray(values) ? values : [];
  const change = (next: unknown[]) => {
    form.api.setFieldValue(field.name, next);
    form.dropIssue(field.name);
  };
  return (
    <Group id={fieldId(form.id, field.name)} label={field.label} help={field.help}>
      {list.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the values are read by their index
        <div key={index} className="flex items-end gap-2">
          <div className="flex min-w-0 flex-1 flex-col gap-3">
            <SchemaField
              path={`${field.name}[${index}]`}
              name={commandsText.item(field.label, index + 1)}
              schema={items}
              root={root}
              isRequired
            />
          </div>
          <IconButton
            icon={Trash2}
            label={commandsText.removeItem(field.label, index + 1)}
            onClick={() => change(list.toSpliced(index, 1))}
          />
        </div>
      ))}
      {form.issues.has(field.name) && (
        <p className="text-sm text-red">{form.issues.get(field.name)}</p>
      )}
      <div>
        <Button
          icon={Plus}
          onClick={() => change([...list, initialValue(items, root, true) ?? ''])}
        >
          {commandsText.addItem(field.label)}
        </Button>
      </div>
    </Group>
  );
}

/** A value of any shape, typed as JSON. */
function JsonField(field: FieldProps) {
  return (
    <Field {...field}>
      {({ value, onChange, onBlur, attributes }) => (
        <textarea
          {...attributes}
          rows={4}
          className="control w-full font-mono text-sm"
          defaultValue={value === undefined ? '' : JSON.stringify(value, null, 2)}
          onChange={(event) => onChange(parse(event.target.value))}
          onBlur={onBlur}
        />
      )}
    </Field>
  );
}

function parse(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text);
  } catch {
    // The server says what is wrong with it.
    return text;
  }
}

const rulesOf = ({
  minLength,
  maxLength,
  minimum,
  maximum,
  pattern,
  format,
  minItems,
  maxItems,
}: Schema) =>
  Object.fromEntries(
    Object.entries({
      minLength,
      maxLength,
      minimum,
      maximum,
      pattern,
      format,
      minItems,
      maxItems,
    }).filter(([, value]) => value !== undefined),
  );
