const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether arrays and objects are nested deeper than `levels`. Scans the bytes once, without parsing
 * them, and returns at the first bracket that is too deep.
 */
export function isNestedDeeper(json: Uint8Array, levels: number): boolean {
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    switch (json[i]) {
      case quote:
        i = endOfString(json, i + 1);
        break;
      // { and [
      case 0x7b:
      case 0x5b:
        depth += 1;
        if (depth > levels) return true;
        break;
      // } and ]
      case 0x7d:
      case 0x5d:
        depth -= 1;
    }
  }
  return false;
}

/** The index of the quote that ends the string at `start`, or the length if none does. */
function endOfString(json: Uint8Array, start: number): number {
  for (let i = start; i < json.length; i++) {
    if (json[i] === quote) return i;
    if (json[i] === backslash) i += 1;
  }
  return json.length;
}
