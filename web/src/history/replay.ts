// A round that is over, as a row of frames: what lay on the table after each thing that happened, and what was said of it.

import type { GameRules, PublicEvent, Recalled } from '../lib/contract';
import type { Message } from '../lib/messages.svelte';
import { announced } from '../parts/announced';

export type LaidCard = { hand: string; face: string | null };
export type Frame = {
  name: string; // of what happened: an event of the house, or "wagers" and "settled" for many at once
  cards: LaidCard[];
  hand: string; // that it is about; "" where none
  to: string;
  says: Message | null; // the house's own words
  clause: string;
  count: number; // of wagers
  fresh: number[]; // places of cards that came or were turned over with it
};
export type Settled = {
  patron: string; place: number; wager: string; amount: string; line: number; result: string; pays: string | null;
  net: string; clause: string;
};

const UNTOLD = new Set(['card-squeezed', 'wager-confirmed', 'holder-asked', 'patron-joined', 'patron-left', 'seat-taken', 'chips-bought', 'chips-cashed']);
const MANY: Record<string, string> = { 'wager-placed': 'wagers', 'wager-settled': 'settled' };

/** The frames of a round, in its order. Wagers that were placed, or settled, one after the other are one frame. */
export function framesOf(recalled: Recalled, rules: Pick<GameRules, 'hands'>): Frame[] {
  const frames: Frame[] = [];
  let cards: LaidCard[] = [];
  for (const event of recalled.events) {
    if (UNTOLD.has(event.name)) continue;
    const before = cards;
    cards = laidAfter(event, before);
    const name = MANY[event.name] ?? event.name;
    const last = frames.at(-1);
    if (last && last.name === name && MANY[event.name]) last.count += 1;
    else frames.push(frame(event, name, before, cards, rules));
  }
  return frames;
}

function frame(event: PublicEvent, name: string, before: LaidCard[], cards: LaidCard[], rules: Pick<GameRules, 'hands'>): Frame {
  const told: Record<string, unknown> = event.told;
  return {
    name, cards,
    hand: event.name === 'card-drawn' ? event.told.card.hand : text(told['hand']),
    to: text(told['to']),
    says: event.name === 'card-drawn' ? event.told.why : announced(event, rules),
    clause: event.clause,
    count: 1,
    fresh: cards.flatMap((card, place) => (card.face === before[place]?.face && before[place] ? [] : [place])),
  };
}

function laidAfter(event: PublicEvent, cards: LaidCard[]): LaidCard[] {
  if (event.name === 'card-drawn') {
    const { hand, face } = event.told.card;
    return [...cards, { hand, face }];
  }
  if (event.name === 'cards-revealed') {
    const { hand } = event.told;
    const faces = [...event.told.cards];
    return cards.map((card) => (card.hand === hand ? { ...card, face: faces.shift() || card.face } : card));
  }
  if (event.name === 'card-corrected') {
    const { place, card: face } = event.told;
    return cards.map((card, at) => (at === place ? { ...card, face } : card));
  }
  if (event.name === 'cards-exposed' || event.name === 'cards-substituted') {
    const { cards: faces, places } = event.told;
    return cards.map((card, place) => (places.includes(place) ? { ...card, face: faces[places.indexOf(place)] ?? card.face } : card));
  }
  return cards;
}

/** What every wager came to. */
export function settledIn(recalled: Recalled): Settled[] {
  return recalled.events.filter((event) => event.name === 'wager-settled').map(({ told: { stake, line, result, pays, net }, clause }) => ({ ...stake, line, result, pays, net, clause }));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
