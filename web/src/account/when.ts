import { speech } from '../lib/language.svelte';

/** A moment of the house, in the reader's own time zone and language. */
export function when(at: number): string {
  return new Intl.DateTimeFormat(speech.now === 'zh' ? 'zh-CN' : 'en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}
