// Spots: numbered places of a position where chips lie that belong to no account. They stand where a patron's name would: @3.2.

import { t } from './messages.svelte';

export type Spot = { place: number; number: number };

export function spotOf(name: unknown): Spot | null {
  const [, place, number] = /^@(\d+)\.(\d+)$/.exec(typeof name === 'string' ? name : '') ?? [];
  return place === undefined || number === undefined ? null : { place: Number(place), number: Number(number) };
}

/** What is typed for one: 3 is the seat of position 3, and 3.2 the second place there. */
export function spotTyped(text: string): Spot | null {
  return spotOf(`@${text.includes('.') ? text : `${text}.1`}`.replaceAll(' ', ''));
}

export function spotId(spot: Spot): string {
  return `@${spot.place}.${spot.number}`;
}

export function spotName(spot: Spot): string {
  return t('spot', spot);
}
