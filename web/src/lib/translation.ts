// Sentences by their patterns: "{hand} has {n}: {hand} draws" is met by "Player has 4: Player draws".

export type Sentence = readonly [en: string, zh: string];
export type Translator = (text: string) => string;

type Pattern = { met: RegExp; names: string[]; zh: string };
const REMEMBERED = 2000;

/** Translates whole sentences, and names within them; null-like texts and what is unknown come back as they are. */
export function translator(sentences: readonly Sentence[], names: Record<string, string>): Translator {
  const whole = new Map<string, string>(Object.entries(names));
  const patterns: Pattern[] = [];
  for (const [en, zh] of sentences) {
    if (en.includes('{')) patterns.push(pattern(en, zh));
    else whole.set(en, zh);
  }
  const known = new Map<string, string>();

  function translate(text: string): string {
    const before = known.get(text);
    if (before !== undefined) return before;
    const found = told(text);
    if (known.size > REMEMBERED) known.clear();
    known.set(text, found);
    return found;
  }

  function told(text: string): string {
    const [, said = text, clause = ''] = /^(.*?)( \([A-Z0-9]+-[^()]*\))?$/s.exec(text) ?? [];
    const stop = /[.]$/.test(said);
    const bare = stop ? said.slice(0, -1) : said;
    const found = sentence(bare, bare.charAt(0).toLowerCase() + bare.slice(1)) ?? parts(bare) ?? headed(bare);
    return found === undefined ? text : `${found}${stop ? '。' : ''}${clause}`;
  }

  /** A sentence as it stands, or as it would stand behind another: what is known whole comes before any pattern. */
  function sentence(text: string, small = text): string | undefined {
    const exact = whole.get(text) ?? whole.get(small);
    if (exact !== undefined) return exact;
    for (const { met, names: places, zh } of patterns) {
      const found = met.exec(text) ?? met.exec(small);
      if (found) return zh.replace(/\{(\w+)\}/g, (_, name: string) => placed(found[places.indexOf(name) + 1] ?? '', text, small));
    }
    return undefined;
  }

  /** What stands in a place; somebody's name that begins the sentence has lost its capital again. */
  function placed(words: string, text: string, small: string): string {
    const found = translate(words);
    return found === words && text !== small && text.startsWith(words) ? small.slice(0, words.length) : found;
  }

  /** Several things named in a row: each is translated, or none. */
  function parts(text: string): string | undefined {
    const listed = text.split(/, | and | or /);
    if (listed.length < 2) return undefined;
    const each = listed.map((one) => sentence(one));
    return each.every((one) => one !== undefined) ? each.join(text.includes(' or ') ? '或' : '、') : undefined;
  }

  /** What is named first, and after a colon what is told of it. */
  function headed(text: string): string | undefined {
    const [, head = '', rest = ''] = /^(.*?): (.+)$/s.exec(text) ?? [];
    const named = whole.get(head);
    return named === undefined ? undefined : `${named}：${translate(rest)}`;
  }

  return translate;
}

/** {n…} is a whole number, {amount…} money, anything else any words; a name that comes twice means the same both times. */
function pattern(en: string, zh: string): Pattern {
  const names: string[] = [];
  const source = en.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name: string) => {
    const place = names.indexOf(name);
    if (place >= 0) return `\\${place + 1}`;
    names.push(name);
    return name.startsWith('amount') ? '([\\d,.]+)' : /^n\d?$/.test(name) ? '(\\d+)' : '(.+?)';
  });
  return { met: new RegExp(`^${source}$`, 's'), names, zh };
}
