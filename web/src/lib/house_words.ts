// What the house says in its own words, in the language of the reader.

/** A sentence of the house; what has no translation stays as it is. */
export function houseWords(text: string): string {
  return text;
}
