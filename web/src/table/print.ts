// What is printed on an area, and which key it answers to: all of it from the game file.

import { t, type Code } from '../lib/messages.svelte';
import { spotName, spotOf } from '../lib/spots';
import type { GameRules, LayoutRules, SeatView, WagerRules } from '../lib/contract';

const GUEST: Code = 'page.table.guest';
const SEAT: Code = 'page.table.seat';
const STANDING: Code = 'page.table.standing';
const NOMINEE: Code = 'page.table.nominee';
const SOMEBODY: Code = 'page.table.somebody';
const OTHER_KEYS = 'zrdc'; // undo, rebet, double, clear

/** What a wager pays, as the felt prints it: "8:1", "30 · 40 · 100:1", "1–30:1". */
export function pays(wager: WagerRules): string {
  const found = [...new Set(wager.lines.flatMap((line) => (line.pays ? [line.pays] : [])))];
  if (found.length < 2) return found[0] ?? '';
  const sorted = found.toSorted((a, b) => ratio(a) - ratio(b));
  const [least, most] = [sorted[0] ?? '', sorted.at(-1) ?? ''];
  const alike = sorted.every((each) => each.endsWith(':1'));
  if (alike && sorted.length < 4) return `${sorted.map((each) => each.slice(0, -2)).join(' · ')}:1`;
  return alike ? `${least.slice(0, -2)}–${most}` : sorted.length < 4 ? sorted.join(' · ') : `${least} – ${most}`;
}

function ratio(odds: string): number {
  const [win, stake] = odds.split(':').map(Number);
  return (win ?? 0) / (stake ?? 1);
}

/** The same in as little room as there is: "30–100:1". */
export function paysBriefly(wager: WagerRules): string {
  const whole = pays(wager);
  const found = whole.split(' · ');
  return found.length > 2 ? `${found[0]}–${found.at(-1)}` : whole;
}

/** The wagers of a layout in the order of the felt, each once. */
export function wagersOf(layout: LayoutRules): string[] {
  return [...new Set(layout.rows.flatMap((row) => row.areas))].filter((area) => area !== 'odds');
}

/** Which wagers of a layout may end so: the felt warns of it where its row has that notice. */
export function endingSo(layout: LayoutRules, rules: GameRules, result: string): string[] {
  return wagersOf(layout).filter((wager) => rules.wagers[wager]?.lines.some((line) => line.result === result));
}

/** A letter for each area: one of its name's, the first that is free. */
export function letters(layout: LayoutRules, rules: GameRules): Record<string, string> {
  const taken = new Set(OTHER_KEYS);
  const found: Record<string, string> = {};
  const inOrder = wagersOf(layout).toSorted((a, b) => Number(!rules.wagers[a]?.hand) - Number(!rules.wagers[b]?.hand));
  for (const wager of inOrder) {
    const words = (rules.wagers[wager]?.name.en ?? wager).toLowerCase().split(/[^a-z]+/);
    const wanted = [...words.map((word) => word.charAt(0)), ...words.join(''), ...'abcdefghijklmnopqrstuvwxyz'];
    const letter = wanted.find((each) => each && !taken.has(each));
    if (letter) {
      found[wager] = letter;
      taken.add(letter);
    }
  }
  return found;
}

/** What somebody is called: by the name they chose, or by where they are. Staff see the names that people sign in with. */
export function nameOf(seats: Record<string, SeatView>, person: string, narrow = false): string {
  const who = seats[person];
  if (who?.name) return who.name;
  if (who && person.startsWith('#')) {
    if (who.seat !== null) return narrow ? '' : t(SEAT, { n: who.seat });
    return t(STANDING, { n: Object.values(seats).filter((each) => each.seat === null).indexOf(who) + 1 });
  }
  const spot = spotOf(person);
  if (spot) return narrow ? '' : spotName(spot);
  if (person.startsWith('#')) return t(person.endsWith('nominee') ? NOMINEE : SOMEBODY);
  return person === 'somebody' ? t(SOMEBODY) : shortName(person, narrow);
}

/** A name that fits on a seat: robots without their kind, guests with as much of theirs as tells them apart. */
export function shortName(person: string, narrow = false): string {
  const [kind = '', rest = ''] = [person.slice(0, person.indexOf('-')), person.slice(person.indexOf('-') + 1)];
  if (kind === 'robot') return rest;
  return kind === 'guest' ? (narrow ? `#${rest.slice(0, 3)}` : `${t(GUEST)} ${rest.slice(0, 3)}`) : person;
}

/** How likely a line is, of the odds' exact fraction. */
export function chanceOf(probability: string): number {
  const [ways, all] = probability.split('/').map(Number);
  return (ways ?? 0) / (all ?? 1);
}
