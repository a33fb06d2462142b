// How much a chip puts on an area. Whole minor units throughout.

import { decimal, minor, placesOf } from '../lib/money';
import type { GameRules, Limit, StakeView } from '../lib/contract';

export type Bet = { wager: string; amount: string };

/** The chip that is taken up first: the smallest that is a wager by itself; where none is, the smallest. */
export function first(chips: string[], limits: Record<string, Limit>): string {
  const isWager = (chip: string, { min, max, increment }: Limit) => {
    const places = Math.max(...[chip, min, max, increment].map(placesOf));
    const [worth, least, most, step] = [chip, min, max, increment].map((each) => minor(each, places)) as [bigint, bigint, bigint, bigint];
    return least <= worth && worth <= most && worth % step === 0n;
  };
  return chips.find((chip) => Object.values(limits).some((limit) => isWager(chip, limit))) ?? chips[0] ?? '';
}

/** What one click puts down, and why that is not the chip; 0 where nothing more fits. */
export type Placing = { amount: string; why: '' | 'minimum' | 'maximum' | 'step' };

/** The chip, raised to the minimum, cut to the step, capped at the maximum; the area says so before anybody clicks. */
export function placing(chip: string, limit: Limit, lies: string): Placing {
  const places = Math.max(...[chip, lies, limit.min, limit.max, limit.increment].map(placesOf));
  const [worth, lying, least, most, step] = [chip, lies, limit.min, limit.max, limit.increment].map((each) => minor(each, places)) as [bigint, bigint, bigint, bigint, bigint];
  const up = (amount: bigint) => ((amount + step - 1n) / step) * step;
  const room = most > lying ? ((most - lying) / step) * step : 0n;
  const least_more = lying > 0n ? step : up(least);
  const whole = (worth / step) * step;
  const wanted = whole < least_more ? least_more : whole;
  const amount = wanted > room ? room : wanted;
  const why = amount === worth ? '' : amount < wanted || amount === 0n ? 'maximum' : wanted > worth && lying === 0n && worth < least ? 'minimum' : 'step';
  return { amount: decimal(amount, places), why };
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
