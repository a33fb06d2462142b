// Figures of the pit as people read them.

import { moment, percent as percentOf } from '../lib/localization';

/** A share as a percentage; a dash where there is none. */
export function percent(share: number | null, digits = 1): string {
  return share === null ? '–' : percentOf(share, digits);
}

/** The time of day of an instant; with the date where it was on another day than `now`. */
export function clockTime(at: number, now: number): string {
  const same = new Date(at).toDateString() === new Date(now).toDateString();
  return same ? moment(at, 'seconds').slice('2026-11-18 '.length) : moment(at, 'seconds');
}
