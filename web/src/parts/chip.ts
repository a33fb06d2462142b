// The chips of the house, by what they are worth in whole units.

export const CHIPS: readonly { worth: number; kind: string }[] = [
  { worth: 1, kind: 'one' },
  { worth: 5, kind: 'five' },
  { worth: 25, kind: 'twenty-five' },
  { worth: 100, kind: 'hundred' },
  { worth: 500, kind: 'five-hundred' },
  { worth: 1000, kind: 'thousand' },
  { worth: 10_000, kind: 'ten-thousand' },
];

/** The colour of an amount: that of the largest chip in it. */
export function chipKind(amount: string): string {
  const worth = Number(amount);
  return CHIPS.findLast((each) => each.worth <= worth)?.kind ?? 'one';
}

/** An amount that fits on a chip: 1500 is "1.5K", 12000000 is "12M"; exact, or with a point for what is left out. */
export function chipText(amount: string): string {
  const worth = Number(amount);
  if (worth < 1000) return String(Math.round(worth * 100) / 100);
  const [unit, sign] = worth < 1_000_000 ? [1000, 'K'] : [1_000_000, 'M'];
  return `${Math.floor((worth / unit) * 10) / 10}${sign}`;
}
