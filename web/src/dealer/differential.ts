// What must come off the heavier hand, and how much of a wager is just enough.

import { decimal, minor, placesOf } from '../lib/money';
import type { DifferentialView, GameRules, StakeView, View } from '../lib/contract';

/** By how much the wagers on the heavier hand must come down. */
export function excess({ gap, allowed }: DifferentialView): string {
  const places = Math.max(placesOf(gap), placesOf(allowed));
  const over = minor(gap, places) - minor(allowed, places);
  return decimal(over > 0n ? over : 0n, places);
}

/** The main wagers on the heavier hand, the largest first. */
export function heavyStakes(view: View, rules: GameRules): StakeView[] {
  const heavier = view.round?.differential?.heavier;
  const on_it = Object.values(view.round?.stakes ?? {}).filter((each) => rules.wagers[each.wager]?.hand === heavier);
  return on_it.sort((one, other) => Number(minor(other.amount) - minor(one.amount)) || one.place - other.place);
}

/** What has to come off this wager if no other comes down: whole steps of it, or all. */
export function enough(stake: StakeView, over: string, step: string): string {
  const places = Math.max(placesOf(stake.amount), placesOf(over), placesOf(step));
  const [all, wanted, unit] = [minor(stake.amount, places), minor(over, places), minor(step, places)];
  const whole = unit > 0n ? ((wanted + unit - 1n) / unit) * unit : wanted;
  return decimal(whole < all ? whole : all, places);
}
