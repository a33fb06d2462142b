// A designer's workbench: a game, what was changed of it, and what the house counts of it as they type.

import { Problem, send } from '../lib/api';
import type { File, GameFigures, GameRules, LabOdds, Mistake, Subject } from '../lib/contract';
import { useNames } from '../lib/localization';
import { changed, origin, same, samePath, valueAt, withChange, type Change, type Data, type Path, type Value } from './changes';
import { checked, packed, unpacked, type Kept } from './share';

const PAUSE_MS = 110; // of somebody who types, before the house is asked
const KEPT = 'longhu.lab.';

export class Bench {
  file = $state.raw<File | null>(null); // before the changes
  original = $state.raw<GameFigures | null>(null); // of our own game, unchanged
  counted = $state.raw<{ rules: GameRules; odds: LabOdds } | null>(null); // the last that could be counted
  mistakes = $state.raw<Mistake[]>([]);
  leftOut = $state.raw<string[]>([]);
  refusal = $state.raw<Problem | null>(null);
  busy = $state(false);
  seconds = $state(0); // that the house worked
  took = $state(0); // milliseconds that the designer waited
  settled = $state(0); // goes up with each answer

  text = $state.raw(''); // of a file of the designer's own; "": the game of the house
  changes = $state.raw<Change[]>([]);
  decks = $state<number | null>(null);
  #undone = $state.raw<Kept[]>([]);
  #before = $state.raw<Kept[]>([]);
  #asking: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly game: string) {}

  data = $derived<Data | null>(this.file?.data ? changed(this.file.data, this.changes) : null);
  isChanged = $derived(this.text !== '' || this.decks !== null || (this.file?.data ? !same(this.data, this.file.data) : false));
  canUndo = $derived(this.#before.length > 0);
  canRedo = $derived(this.#undone.length > 0);

  get subject(): Required<Subject> {
    return { game: this.text ? '' : this.game, text: this.text, changes: this.changes, decks: this.decks };
  }

  // ------------------------------------------------ beginning

  async open(): Promise<void> {
    const plain = { game: this.game, text: '', changes: [], decks: null };
    try {
      const kept = (await unpacked(location.hash)) ?? fromStore(this.game);
      const [file, original] = await Promise.all([
        send<File>('POST', '/api/lab/file', kept?.text ? { ...plain, game: '', text: kept.text } : plain),
        send<GameFigures>('POST', '/api/lab/odds', plain),
      ]);
      this.file = file;
      this.original = original;
      this.#show(original, performance.now());
      if (kept) this.#go(kept);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.refusal = error;
    }
  }

  // ------------------------------------------------ changing

  change(...changes: Change[]): void {
    const next = changes.reduce<Change[]>(withChange, this.changes);
    if (next.length > this.changes.length || !this.#before.length) this.#remember();
    this.#undone = [];
    this.#go({ text: this.text, changes: next, decks: this.decks }, PAUSE_MS);
  }

  set(at: Path, to: Value): void {
    if (!same(valueAt(this.data, at), to)) this.change({ do: 'set', at, to });
  }

  chooseDecks(decks: number | null): void {
    this.#remember();
    this.#undone = [];
    this.#go({ text: this.text, changes: this.changes, decks }, PAUSE_MS);
  }

  /** A file of the designer's own; the changes so far are in it already. */
  async write(text: string): Promise<void> {
    this.#remember();
    this.#undone = [];
    await this.#rebase(text);
    this.#go({ text, changes: [], decks: this.decks });
  }

  async undo(): Promise<void> {
    const last = this.#before.at(-1);
    if (!last) return;
    this.#undone = [...this.#undone, this.#now()];
    this.#before = this.#before.slice(0, -1);
    await this.#return(last);
  }

  async redo(): Promise<void> {
    const next = this.#undone.at(-1);
    if (!next) return;
    this.#before = [...this.#before, this.#now()];
    this.#undone = this.#undone.slice(0, -1);
    await this.#return(next);
  }

  async reset(): Promise<void> {
    this.#remember();
    this.#undone = [];
    await this.#return({ text: '', changes: [], decks: null });
  }

  async address(): Promise<string> {
    return `${location.origin}/lab/${encodeURIComponent(this.game)}${await packed(this.#now())}`;
  }

  // ------------------------------------------------ what is shown of it

  mistakesAt(at: Path): Mistake[] {
    return this.mistakes.filter((each) => samePath(each.at, at));
  }

  /** What the file said before the changes, null where it said nothing; undefined where it says the same now. */
  was(at: Path): unknown {
    const stood = origin(at, this.changes);
    const before = stood && valueAt(this.file?.data, stood);
    return same(before, valueAt(this.data, at)) ? undefined : before;
  }

  #now(): Kept {
    return { text: this.text, changes: this.changes, decks: this.decks };
  }

  #remember(): void {
    this.#before = [...this.#before.slice(-199), this.#now()];
  }

  async #return(to: Kept): Promise<void> {
    if (to.text !== this.text) await this.#rebase(to.text);
    this.#go(to);
  }

  async #rebase(text: string): Promise<void> {
    const asked = text ? { game: '', text } : { game: this.game, text: '' };
    this.file = await send<File>('POST', '/api/lab/file', { ...asked, changes: [], decks: null });
  }

  #go(to: Kept, pause = 0): void {
    ({ text: this.text, changes: this.changes, decks: this.decks } = to);
    const plain = !to.text && !to.changes.length && to.decks === null;
    if (plain) localStorage.removeItem(KEPT + this.game);
    else localStorage.setItem(KEPT + this.game, JSON.stringify(to));
    if (location.hash) history.replaceState(null, '', location.pathname);
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.busy = true;
    this.#timer = setTimeout(() => void this.#ask(), pause);
  }

  async #ask(): Promise<void> {
    const asking = (this.#asking = new AbortController());
    const began = performance.now();
    try {
      this.#show(await send<GameFigures>('POST', '/api/lab/odds', this.subject, asking.signal), began);
    } catch (error) {
      if (asking.signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      this.refusal = error;
      this.busy = false;
    }
  }

  #show(figures: GameFigures, began: number): void {
    this.busy = false;
    this.refusal = null;
    this.mistakes = figures.mistakes;
    this.leftOut = figures.left_out;
    if (figures.rules && figures.odds) {
      this.counted = { rules: figures.rules, odds: figures.odds };
      useNames(figures.rules);
    }
    this.seconds = figures.seconds;
    this.took = performance.now() - began;
    this.settled += 1;
  }
}

function fromStore(game: string): Kept | null {
  try {
    return checked(JSON.parse(localStorage.getItem(KEPT + game) ?? 'null'));
  } catch {
    return null;
  }
}
