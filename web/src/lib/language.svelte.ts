// The language of the reader, and names as game files give them.

export const LANGUAGES = { en: 'English', 'zh-Hans': '简体中文', 'zh-Hant': '繁體中文' } as const;
export type Language = keyof typeof LANGUAGES;
/** A name or a sentence of a game file: its English, and its translations by language tag. */
export type Names = { en: string } & Partial<Record<string, string>>;

const KEPT = 'longhu.language';
const FELT = 'zh-Hans'; // the Chinese that a felt prints beside English
const TRADITIONAL = /^zh-(hant|tw|hk|mo)/;

class Speech {
  now = $state<Language>('en');

  get chinese(): boolean {
    return this.now !== 'en';
  }
}

/** The language that the reader chose before, or else the first of the browser's that the page knows. */
export function preferred(kept: string | null, asked: readonly string[]): Language {
  if (kept !== null && kept in LANGUAGES) return kept as Language;
  for (const tag of asked.map((each) => each.toLowerCase())) {
    if (/^zh\b/.test(tag)) return TRADITIONAL.test(tag) ? 'zh-Hant' : 'zh-Hans';
    if (/^en\b/.test(tag)) return 'en';
  }
  return 'en';
}

export function firstLanguage(): Language {
  return preferred(localStorage.getItem(KEPT), navigator.languages);
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(KEPT, language);
}

/** The made-up language of the tests: every text of the catalogue stands in brackets, so that any other text is found. */
export function isPseudo(): boolean {
  return globalThis.localStorage?.getItem(KEPT) === 'en-XA';
}

export const speech = new Speech();

/** A text of a game file in the language of the reader; where it is not translated, the English. */
export function named(names: Names, language: Language = speech.now): string {
  return names[language] || names.en;
}

/** The same text in the other language of a felt, which prints English and Chinese; "" where there is none. */
export function alsoNamed(names: Names): string {
  return speech.chinese ? (names[speech.now] ? names.en : '') : (names[FELT] ?? '');
}

/** The language of what `alsoNamed` gives. */
export function otherLanguage(): Language {
  return speech.chinese ? 'en' : FELT;
}
