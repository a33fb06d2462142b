// Short notes at the edge of the screen: what was done, and what was refused, with its remedy.

import { Problem } from './api';
import { announcer } from './announcer.svelte';
import { said } from './messages.svelte';

export type Note = { id: number; kind: 'good' | 'bad' | 'plain'; text: string; remedy: string };

const SHOWN_MS = 6000;

class Notes {
  list = $state<Note[]>([]);
  #next = 1;

  show(text: string, kind: Note['kind'] = 'plain', remedy = ''): void {
    const note = { id: this.#next++, kind, text, remedy };
    this.list = [...this.list.filter((each) => each.text !== text || each.remedy !== remedy).slice(-3), note]; // what is said again is shown once
    (kind === 'bad' ? announcer.warn : announcer.say).call(announcer, [text, remedy].filter(Boolean).join(' '));
    setTimeout(() => this.close(note.id), kind === 'bad' ? SHOWN_MS * 2 : SHOWN_MS);
  }

  /** What the house would not do, in its words. */
  problem(error: unknown): void {
    if (error instanceof Problem) this.show(said(error.says), 'bad', said(error.remedy));
    else throw error;
  }

  close(id: number): void {
    this.list = this.list.filter((each) => each.id !== id);
  }
}

export const notes = new Notes();
