// The roads as a reader sees and hears them. What lies where is worked out by the house; here it is only drawn.

import { named, speech } from '../lib/language.svelte';
import { t } from '../lib/messages.svelte';
import type { Roads } from '../lib/contract';

export type DerivedName = 'big-eye-boy' | 'small-road' | 'cockroach-pig';
export type RoadPlace = { column: number; row: number };
export const DERIVED: readonly DerivedName[] = ['big-eye-boy', 'small-road', 'cockroach-pig'];
export type Side = 'first' | 'second' | 'tie';

/** Which of the two hands it is, or neither. */
export function sideOf(roads: Roads, winner: string): Side {
  return winner === roads.hands[0].id ? 'first' : winner === roads.hands[1].id ? 'second' : 'tie';
}

/** A hand or a tie, by name. */
export function nameOf(roads: Roads, winner: string): string {
  const hand = roads.hands.find((each) => each.id === winner);
  return hand ? named(hand.name) : t('page.parts.tie');
}

/** What is written into a bead: a letter, or one Chinese character. */
export function signOf(roads: Roads, winner: string): string {
  const hand = roads.hands.find((each) => each.id === winner);
  if (!hand) return speech.chinese ? t('page.parts.tie') : '=';
  return speech.chinese && [...named(hand.name)].length === 1 ? named(hand.name) : hand.sign;
}

/** So many columns that all marks have room, with a little to come, and no fewer than `least`. */
export function columnsFor(marks: readonly RoadPlace[], least: number): number {
  return Math.max(least, ...marks.map((each) => each.column + 2));
}

/** "Player 12, Banker 9, Tie 2" */
export function countsText(roads: Roads): string {
  return Object.entries(roads.counts).map(([winner, count]) => `${nameOf(roads, winner)} ${count}`).join(speech.chinese ? '，' : ', ');
}
