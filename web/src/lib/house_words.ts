// What the house says in its own words, in the language of the reader.
// The house speaks English. For readers of Chinese its sentences are translated by their patterns (house_sentences.ts), and
// names of hands and wagers by what the game files call them, which the house tells. Both are loaded when they are first needed.

export { houseWords, isForeign } from './house_words.svelte';
