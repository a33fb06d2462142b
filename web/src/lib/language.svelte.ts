// What is said, in the language of whoever reads it. Each area of the page keeps its texts beside its components:
//   export const TEXTS = { undo: ['Undo', '撤销'], left: ['{n} cards left', '剩余 {n} 张'] } satisfies Texts;
// A text without its Chinese does not compile.

export type Text = readonly [en: string, zh: string];
export type Texts = Record<string, Text>;
export type Language = 'en' | 'zh';
/** A name or a sentence of a game file: its English, and its translations by language tag. */
export type Names = { en: string } & Partial<Record<string, string>>;

const KEPT = 'longhu.language';
const FELT = 'zh-Hans'; // the Chinese that a felt prints beside English

class Speech {
  now = $state<Language>(first());

  choose(language: Language): void {
    this.now = language;
    localStorage.setItem(KEPT, language);
    document.documentElement.lang = this.tag;
  }

  get tag(): string {
    return this.now === 'zh' ? 'zh-Hans' : 'en';
  }
}

function first(): Language {
  const kept = globalThis.localStorage?.getItem(KEPT);
  if (kept === 'en' || kept === 'zh') return kept;
  return globalThis.navigator?.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

export const speech = new Speech();

/** The text in the language of the reader, with what stands in braces filled in. */
export function say(text: Text, values: Record<string, string | number> = {}): string {
  const said = text[speech.now === 'zh' ? 1 : 0];
  return said.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}

/** A text of a game file in the language of the reader; where it is not translated, the English. */
export function named(names: Names): string {
  return names[speech.tag] || names.en;
}

/** The same text in the other language of a felt, which prints English and Chinese; "" where there is none. */
export function alsoNamed(names: Names): string {
  return speech.tag === 'en' ? (names[FELT] ?? '') : names[speech.tag] ? names.en : '';
}
