// A count of chips by what they are worth. Amounts are decimal strings; numbers of chips are whole.

import { decimal, minor } from '../lib/money';
import { CHIPS } from '../parts/chip';

export type Counted = Record<string, number>; // how many, by the value of a chip as a decimal string

/** The values of the house's chips, the largest first, and the smallest unit of the table where that is less. */
export function denominations(places: number, unit: string): string[] {
  const values = CHIPS.map((each) => decimal(BigInt(each.worth) * 10n ** BigInt(places), places)).reverse();
  const smallest = minor(unit, places);
  const least = decimal(smallest, places);
  return [...values.filter((each) => minor(each) >= smallest), ...(values.includes(least) ? [] : [least])];
}

export function total(counted: Counted, places: number): bigint {
  return Object.entries(counted).reduce((all, [value, number]) => all + minor(value, places) * BigInt(number), 0n);
}

/** The fewest chips that come to an amount. */
export function fewest(amount: string, values: string[], places: number): Counted {
  let rest = minor(amount, places);
  const counted: Counted = {};
  for (const value of values) {
    const worth = minor(value, places);
    const number = rest / worth;
    if (number > 0n) counted[value] = Number(number);
    rest -= number * worth;
  }
  return counted;
}
