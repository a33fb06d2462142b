// What is said, in the language of whoever reads it. Each area of the page keeps its texts beside its components:
//   export const TEXTS = { undo: ['Undo', '撤销'], left: ['{n} cards left', '剩余 {n} 张'] } satisfies Texts;
// A text without its Chinese does not compile.

export type Text = readonly [en: string, zh: string];
export type Texts = Record<string, Text>;
export type Language = 'en' | 'zh';
export type Names = { en: string; zh?: string | null };

const KEPT = 'longhu.language';

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

/** A name as the game file gives it; where it has no Chinese, the English. */
export function named(names: Names): string {
  return (speech.now === 'zh' && names.zh) || names.en;
}

/** The same name in the other language, for felts that print both; "" where there is none. */
export function alsoNamed(names: Names): string {
  return speech.now === 'zh' ? (names.zh ? names.en : '') : (names.zh ?? '');
}
