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
