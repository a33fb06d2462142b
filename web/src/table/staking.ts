// How much a chip puts on an area, and which chips lie in the tray. Whole minor units throughout.

import { decimal, minor, placesOf } from '../lib/money';
import { CHIPS } from '../parts/chip';
import type { GameRules, Limit, StakeView } from '../lib/contract';

const IN_THE_TRAY = 6;

export type Bet = { wager: string; amount: string };

/** The chips that make sense at a table with these limits: none above every maximum, none far below every minimum. */
export function tray(limits: Record<string, Limit>): string[] {
  const all = Object.values(limits);
  const places = Math.max(0, ...all.map((each) => placesOf(each.min)));
  const least = all.reduce((found, each) => (found < minor(each.min, places) ? found : minor(each.min, places)), minor(all[0]?.min ?? '0', places));
  const most = all.reduce((found, each) => (found > minor(each.max, places) ? found : minor(each.max, places)), 0n);
  const unit = 10n ** BigInt(places);
  return CHIPS.map(({ worth }) => BigInt(worth) * unit)
    .filter((worth) => worth <= most && worth * 5n >= least)
    .slice(0, IN_THE_TRAY)
    .map((worth) => decimal(worth, places));
}

/** The chip that is taken up first: the smallest that is a wager by itself; where none is, the smallest. */
export function first(chips: string[], limits: Record<string, Limit>): string {
  const isWager = (chip: string, { min, max, increment }: Limit) => {
    const places = Math.max(...[chip, min, max, increment].map(placesOf));
    const [worth, least, most, step] = [chip, min, max, increment].map((each) => minor(each, places)) as [bigint, bigint, bigint, bigint];
    return least <= worth && worth <= most && worth % step === 0n;
  };
  return chips.find((chip) => Object.values(limits).some((limit) => isWager(chip, limit))) ?? chips[0] ?? '';
}

/** What one click with a chip adds: the chip, or as many of them as the minimum takes where nothing lies yet. */
export function added(chip: string, limit: Limit, lies: string): string {
  const places = placesOf(limit.min);
  const [worth, least] = [minor(chip, places), minor(limit.min, places)];
  if (minor(lies, places) > 0n || worth >= least) return decimal(worth, places);
  return decimal(((least + worth - 1n) / worth) * worth, places);
}

/** As much again on each, as far as the maximum goes. */
export function doubled(stakes: StakeView[], limits: Record<string, Limit>): Bet[] {
  return stakes.flatMap(({ wager, amount }) => {
    const limit = limits[wager];
    if (!limit) return [];
    const places = placesOf(amount);
    const room = minor(limit.max, places) - minor(amount, places);
    const more = room < minor(amount, places) ? room : minor(amount, places);
    return more > 0n ? [{ wager, amount: decimal(more, places) }] : [];
  });
}

/** Wagers in an order that can be placed: what stands only beside another comes after it. */
export function inOrder<T extends { wager: string }>(bets: T[], rules: GameRules): T[] {
  return bets.toSorted((a, b) => Number(beside(a.wager, rules)) - Number(beside(b.wager, rules)));
}

function beside(wager: string, rules: GameRules): boolean {
  return (rules.wagers[wager]?.requires.length ?? 0) > 0;
}

/** Whether something came back beyond what was staked. */
export function isGain(net: string): boolean {
  return minor(net) > 0n;
}
