import { get } from './api';
import type { GameEntry } from './contract';
import { speech } from './language.svelte';
import { translator, type Translator } from './translation';

let chinese = $state.raw<Translator | null>(null);
let loading = false;
const RETRY_MS = 5000;

/** A sentence of the house; what has no translation stays as it is. */
export function houseWords(text: string): string {
  if (speech.now === 'en') return text;
  if (!chinese && !loading) load().catch(() => setTimeout(() => (loading = false), RETRY_MS));
  return chinese?.(text) ?? text;
}

/** Whether a sentence stays English for a reader of Chinese: whoever shows it marks it so. */
export function isForeign(text: string): boolean {
  return speech.now === 'zh' && !/\p{Script=Han}/u.test(houseWords(text));
}

async function load(): Promise<void> {
  loading = true;
  const [{ SENTENCES }, { STAFF_SENTENCES }, names] = await Promise.all([
    import('./house_sentences'),
    import('./staff_sentences'),
    get<GameEntry[]>('/api/games').then((games) => Object.assign({}, ...games.map((game) => game.words))),
  ]);
  chinese = translator([...SENTENCES, ...STAFF_SENTENCES], names);
}
