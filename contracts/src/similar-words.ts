import { wordsOf } from './name-words.ts';

/** The shortest word whose letters may be wrong. Shorter ones would find every name. */
const shortest = 4;

/** The longest word: a name has no longer ones, and each letter adds about fifty variants. */
const longest = 20;

/** The letters of the scripts that people type on a phone, in the form of `wordsOf`. */
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'абвгдежзиклмнопрстуфхцчшщъыьэюя',
];

/**
 * The words that a word with one wrong letter may stand for: another letter in one place, a letter
 * too many, one left out, or two that are swapped. Letters are those of the script of the word. A
 * word that is too short or too long stands only for itself.
 */
export function similarWords(word: string): string[] {
  if (!mayBeMistyped(word)) return [word];
  const letters = [...word];
  const alphabet = [...(alphabets.find((each) => letters.some((one) => each.includes(one))) ?? '')];
  const replaced = (at: number, count: number, by: readonly string[]) =>
    letters.toSpliced(at, count, ...by).join('');
  const variants = [...letters.keys(), letters.length].flatMap((at) => {
    const [here, next] = letters.slice(at, at + 2);
    return [
      ...alphabet.map((letter) => replaced(at, 0, [letter])),
      ...(here === undefined ? [] : alphabet.map((letter) => replaced(at, 1, [letter]))),
      ...(here === undefined ? [] : [replaced(at, 1, [])]),
      ...(here === undefined || next === undefined ? [] : [replaced(at, 2, [next, here])]),
    ];
  });
  return [...new Set([word, ...variants])];
}

function mayBeMistyped(word: string): boolean {
  const { length } = [...word];
  return length >= shortest && length <= longest;
}

/** Whether some word of a text may have a wrong letter. */
export const hasSimilarWords = (text: string): boolean => wordsOf(text).some(mayBeMistyped);
