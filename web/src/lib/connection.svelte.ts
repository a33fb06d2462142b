// A table as this viewer sees it, kept up to date over its socket. Cut off, it comes back by itself, from the number it had;
// commands that were not answered are sent again under their ids, so nothing is done twice and nothing is lost.

import { newId, ownProblem, Problem, problemOf } from './api';
import { clock } from './clock.svelte';
import { placesOf, total } from './money';
import { patched } from './patch';
import { session } from './session.svelte';
import { CLOSED, type Command, type FromServer, type PublicEvent, type Signature, type ToServer, type View } from './contract';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 8000;
const PING_MS = 10_000;
const SILENT_MS = 8_000; // a ping is answered within this, or the line is dead
export const SLOW_MS = 400; // there and back: whoever is so far away should bet early
const KEPT_MS = 10_000; // a wager that could not be told waits for the line that long, where no countdown says it

export type Link = 'connecting' | 'open' | 'broken' | 'gone';
type Asked = { text: string; until: number; done: (first: number) => void; failed: (problem: Problem) => void };

export class Connection {
  view = $state.raw<View | null>(null);
  sequence = $state(0);
  link = $state<Link>('connecting');
  betsUntil = $state<number | null>(null); // in the house's time; null: no countdown
  delay = $state<number | null>(null); // milliseconds to the house and back, as last measured (PLY-4)

  #socket: WebSocket | null = null;
  #asked = new Map<string, Asked>();
  #listeners = new Set<(event: PublicEvent, view: View) => void>();
  #retry = FIRST_RETRY_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #pinged = { id: '', at: 0 };
  #closed = false;

  constructor(readonly table: string) {
    addEventListener('online', this.#atOnce);
    addEventListener('offline', this.#cut);
    this.#open();
  }

  /** Be told of each event, after the view has changed; call what is returned to be told no more. */
  listen(listener: (event: PublicEvent, view: View) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Give a command. It is durable once this is answered; a refusal is a `Problem` with the clause and the remedy. */
  give(command: Command, signatures: Signature[] = [], id = newId()): Promise<number> {
    const message: ToServer = { type: 'command', id, command, ...(signatures.length ? { signatures } : {}) };
    const text = JSON.stringify(message);
    const until = command.command === 'place-wager' ? (this.betsUntil ?? clock.read() + KEPT_MS) : Infinity;
    return new Promise((done, failed) => {
      this.#asked.set(id, { text, until, done, failed });
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    });
  }

  close(): void {
    this.#closed = true;
    session.unheard(this.table);
    removeEventListener('online', this.#atOnce);
    removeEventListener('offline', this.#cut);
    clearTimeout(this.#timer);
    this.#quiet();
    this.#socket?.close();
    this.#fail(ownProblem(0, 'page.parts.table-left'));
  }

  #open(): void {
    const address = new URL(`/api/tables/${encodeURIComponent(this.table)}/socket`, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    if (this.sequence) address.searchParams.set('after', String(this.sequence));
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = (message: MessageEvent<string>) => this.#heard(JSON.parse(message.data) as FromServer);
    socket.onclose = (event) => socket === this.#socket && this.#broken(event.code);
  }

  #opened(socket: WebSocket): void {
    this.link = 'open';
    this.#retry = FIRST_RETRY_MS;
    for (const [id, { text, until }] of this.#asked) {
      if (until >= clock.read()) socket.send(text);
      else this.#answered(id)?.failed(ownProblem(0, 'page.parts.not-taken', 'page.parts.bet-again'));
    }
    this.#quiet();
    this.#ping(socket);
    this.#pinging = setInterval(() => this.#ping(socket), PING_MS);
  }

  /** Is anybody there? Where nothing comes back, the line is taken for broken, whatever the browser thinks of it. */
  #ping(socket: WebSocket): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    this.#pinged = { id: newId(), at: performance.now() };
    socket.send(JSON.stringify({ type: 'ping', id: this.#pinged.id }));
    clearTimeout(this.#silence);
    this.#silence = setTimeout(this.#cut, SILENT_MS);
  }

  #quiet(): void {
    clearInterval(this.#pinging);
    clearTimeout(this.#silence);
  }

  /** The line is dead: the socket is given up without waiting for its end. */
  readonly #cut = (): void => {
    const socket = this.#socket;
    if (!socket || this.link !== 'open') return;
    this.#socket = null;
    socket.close();
    this.#broken(0);
  };

  /** There is a network again: no need to wait for the next try. */
  readonly #atOnce = (): void => {
    if (this.link !== 'broken') return;
    clearTimeout(this.#timer);
    this.#open();
  };

  #broken(code: number): void {
    session.unheard(this.table);
    this.#quiet();
    this.delay = null;
    if (this.#closed) return;
    if (code === CLOSED.NO_TABLE) {
      this.link = 'gone';
      this.#fail(ownProblem(404, 'page.parts.no-table', 'page.parts.choose-another'));
      return;
    }
    if (code === CLOSED.SESSION_OVER) session.ended();
    this.link = 'broken';
    this.#timer = setTimeout(() => this.#open(), this.#retry);
    this.#retry = Math.min(this.#retry * 2, LONGEST_RETRY_MS);
  }

  #heard(message: FromServer): void {
    clearTimeout(this.#silence);
    if ('at' in message) clock.heard(message.at);
    switch (message.type) {
      case 'snapshot':
        this.#show(message.view);
        this.sequence = message.sequence;
        this.#countdown(message.at, message.countdown);
        break;
      case 'event':
        this.#happened(message);
        break;
      case 'done':
        this.#answered(message.id)?.done(message.first);
        break;
      case 'refused':
        this.#answered(message.id)?.failed(new Problem(409, message.reason, message.remedy, message.clause));
        break;
      case 'problem':
        if (message.id !== undefined) this.#answered(message.id)?.failed(problemOf(message.status, message));
        break;
      case 'account':
        if (session.me) {
          const { balance, session_since, session_net, check_due, next_check, at } = message;
          session.me = { ...session.me, balance, session_since, session_net, check_due, next_check, at };
        }
        break;
      case 'pong':
        if (message.id === this.#pinged.id) this.delay = Math.round(performance.now() - this.#pinged.at);
        break;
    }
  }

  #happened(event: PublicEvent): void {
    if (!this.view) return;
    if (event.patch) this.#show(patched(this.view, event.patch));
    this.sequence = event.sequence;
    if (event.countdown !== undefined) this.#countdown(event.at, event.countdown);
    for (const listener of this.#listeners) listener(event, this.view);
  }

  #show(view: View): void {
    this.view = view;
    if (view.balance === null) return;
    const mine = Object.values(view.round?.stakes ?? {}).filter((each) => each.patron === view.viewer);
    session.atTable({ table: this.table, chips: view.balance, staked: total(mine.map((each) => each.amount), placesOf(view.balance)) });
  }

  #countdown(at: number, milliseconds: number | null): void {
    this.betsUntil = milliseconds === null ? null : at + milliseconds;
  }

  #answered(id: string): Asked | undefined {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    return asked;
  }

  #fail(problem: Problem): void {
    for (const { failed } of this.#asked.values()) failed(problem);
    this.#asked.clear();
  }
}
