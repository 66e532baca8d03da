import { text } from '../http/fields.ts';

type Prefix =
  | 'unit'
  | 'key'
  | 'evt'
  | 'perk'
  | 'reg'
  | 'ord'
  | 'ven'
  | 'ses'
  | 'spk'
  | 'exh'
  | 'booth'
  | 'tt'
  | 'code'
  | 'opr'
  | 'inv';

/** The id of a record that a command names. */
export const reference = (prefix: Prefix, description: string) =>
  text({ min: 1, max: 200 }).meta({ description, example: `${prefix}_01k8zq4m3ne7rbj5t2xw9vd6ah` });

/** The business unit and the event that a command works on. */
export const eventScope = {
  businessUnitId: reference('unit', 'The business unit'),
  eventId: reference('evt', 'The event'),
};
