// What the page says, from the catalogues that the server, the command line and transcripts read as well
// (src/longhu/messages/<language>.json). Only the catalogue of the reader's language is loaded.
//
//   t('page.table.undo')                        a text of the page; an unknown code, or a missing value, does not compile
//   said({ code: 'betting-closed', args: {} })  a message of the house
//   word('phase', 'dealing')                    the name of something that the house tells by a word

import { IntlMessageFormat } from 'intl-messageformat';
import { SvelteMap } from 'svelte/reactivity';
import type english from '$messages/en.json';

import type { Message } from './contract';
import { isPseudo, keepLanguage, speech, type Language } from './language.svelte';
import { KINDS, type Values } from './message_kinds';
import { inWords, type NameOf, type Words } from './localization';

export type Code = keyof typeof english;
export type { Message };
export type Family = Code extends infer C ? (C extends `${infer F}.${string}` ? F : never) : never;

type Catalogue = Record<string, string>;
const CATALOGUES: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import('$messages/en.json'),
  'zh-Hans': () => import('$messages/zh-Hans.json'),
  'zh-Hant': () => import('$messages/zh-Hant.json'),
};

class Spoken {
  #formats = new Map<string, IntlMessageFormat>();

  constructor(
    readonly language: Language,
    readonly texts: Catalogue,
  ) {}

  format(code: string, values: Record<string, string | number>): string {
    let found = this.#formats.get(code);
    if (!found) {
      const text = this.texts[code];
      if (text === undefined) throw new RangeError(`no message ${code} in ${this.language}`);
      found = new IntlMessageFormat(isPseudo() ? `⟦${text}⟧` : text, this.language, undefined, { ignoreTag: true });
      this.#formats.set(code, found);
    }
    return String(found.format(values));
  }
}

const loaded = new SvelteMap<Language, Spoken>();
let now = $state.raw<Spoken>(new Spoken('en', {}));

export async function load(language: Language): Promise<Spoken> {
  const known = loaded.get(language) ?? new Spoken(language, (await CATALOGUES[language]()).default);
  loaded.set(language, known);
  return known;
}

/** Speak a language from now on. */
export async function speak(language: Language): Promise<void> {
  now = await load(language);
  speech.now = language;
  if (globalThis.document) document.documentElement.lang = language;
}

/** Speak the language that the reader chose, and keep it for the next visit. */
export async function choose(language: Language): Promise<void> {
  await speak(language);
  keepLanguage(language);
}

type Given<C> = C extends keyof Values ? [values: Values[C]] : [];

/** A text of the page in the reader's language. */
export function t<C extends Code>(code: C, ...[values]: Given<C>): string {
  return now.format(code, values ?? {});
}

/** The same text in a language that was loaded before; "" until then. */
export function inLanguage<C extends Code>(language: Language, code: C, ...[values]: Given<C>): string {
  return loaded.get(language)?.format(code, values ?? {}) ?? '';
}

/** Whether a family of the catalogue has a name for this id. */
export function hasWord(family: Family, id: string): boolean {
  return codeOf(family, id) in now.texts;
}

/** Everything that a family of the catalogue names. */
export function idsOf(family: Family): string[] {
  return Object.keys(now.texts).filter((code) => code.startsWith(`${family}.`)).map((code) => code.slice(family.length + 1));
}

/** What something is called that the house tells by a word of its own; the word itself where the catalogue has no name for it. */
export function word(family: Family, id: string, values: Record<string, string | number> = {}): string {
  return hasWord(family, id) ? now.format(codeOf(family, id), values) : id.replaceAll(/[-_]/g, ' ');
}

/** Why something was done: as a person typed it, or a reason of the program by its name. */
export function reason(text: string): string {
  return `reason.${text}` in now.texts ? now.format(`reason.${text}`, {}) : text;
}

function codeOf(family: Family, id: string): string {
  return `${family}.${id.toLowerCase().replaceAll(/[ _]/g, '-')}`;
}

/** A message of the house in the reader's language; "" where there is none. */
export function said(message: Message | null | undefined, nameOf?: NameOf): string {
  if (!message) return '';
  if (!(message.code in now.texts)) return message.code;
  const kinds = KINDS[message.code] ?? {};
  const values = Object.entries(message.args).map(([name, value]) => [name, inWords(kinds[name] ?? 'text', value, WORDS, nameOf)] as const);
  return now.format(message.code, Object.fromEntries(values));
}

/** How arguments are put into words. */
export const WORDS: Words = {
  said,
  word: (family: 'position' | 'command' | 'reason', id: string) => (hasWord(family, id) ? now.format(`${family}.${id}`, {}) : id),
  joined: (code: 'list-of-two' | 'list-of-more' | 'either-of-two', first: string, second: string) => now.format(code, { first, second }),
};
