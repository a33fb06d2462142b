// Exact fractions, as the house tells them ("-43/415"), and how people read them. Rounding happens once, when a figure is shown.

import { percentage } from '../lib/localization';

export type Fraction = { over: bigint; under: bigint };

export function fraction(text: string): Fraction {
  const [over = '0', under = '1'] = text.split('/');
  return { over: BigInt(over), under: BigInt(under) };
}

export function minus(one: string, other: string): Fraction {
  const a = fraction(one);
  const b = fraction(other);
  return { over: a.over * b.under - b.over * a.under, under: a.under * b.under };
}

export function sign(value: string | Fraction): -1 | 0 | 1 {
  const { over } = typeof value === 'string' ? fraction(value) : value;
  return over > 0n ? 1 : over < 0n ? -1 : 0;
}

/** With so many decimals, rounded half away from zero. */
export function decimal(value: string | Fraction, decimals: number, times = 1n): string {
  const { over, under } = typeof value === 'string' ? fraction(value) : value;
  const scaled = (over < 0n ? -over : over) * times * 10n ** BigInt(decimals);
  const whole = (2n * scaled + under) / (2n * under);
  const digits = whole.toString().padStart(decimals + 1, '0');
  const text = decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits;
  return over < 0n && whole > 0n ? `\u2212${text}` : text;
}

/** "10.3614%". */
export function percent(value: string | Fraction, decimals = 4): string {
  return percentage(decimal(value, decimals, 100n));
}

/** The same with a plus sign for what is gained. */
export function signedPercent(value: string | Fraction, decimals = 4): string {
  return (sign(value) > 0 ? '+' : '') + percent(value, decimals);
}

/** For drawing alone: bars and colours need no more digits than a screen has. */
export function approximately(value: string | Fraction): number {
  const { over, under } = typeof value === 'string' ? fraction(value) : value;
  const excess = BigInt(Math.max(0, under.toString(2).length - 900));
  return Number(over >> excess) / Number(under >> excess);
}
