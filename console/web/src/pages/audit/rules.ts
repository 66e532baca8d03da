const words = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The name of an operation in words: `order.refund` is "Refund order", `updateTicketType` is "Update ticket type". */
export function actionOf(operation: string): string {
  const [noun = '', verb] = operation.split('.');
  if (verb === undefined) return sentence(words(noun));
  const [first = '', ...rest] = words(verb).split(' ');
  const object = rest.length === 0 ? words(noun) : `${rest.join(' ')} of ${words(noun)}`;
  return sentence(`${first} ${object}`);
}

/** The filter of a text that names a record. Entries about an event name it apart from their records. */
export function recordFilter(text: string | undefined): { eventId?: string; record?: string } {
  const id = text?.trim() ?? '';
  if (id === '') return {};
  return id.startsWith('evt_') ? { eventId: id } : { record: id };
}
