// Where the points of a picture lie: scales with round numbers, and paths of SVG.

export type Scale = { low: number; high: number; ticks: number[] };
export type Spot = readonly [x: number, y: number];

/** A scale that holds all values, from one round number to another. */
export function scaleOf(values: number[], wanted = 5): Scale {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const step = roundStep((high - low || 1) / wanted);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, each) => (first + each) * step);
  return { low: first * step, high: last * step, ticks };
}

function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
}

/** Where a value lies between two ends of the picture. */
export function placed(value: number, scale: { low: number; high: number }, from: number, to: number): number {
  return from + ((value - scale.low) / (scale.high - scale.low || 1)) * (to - from);
}

export function path(spots: Spot[]): string {
  return spots.map(([x, y], each) => `${each ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

/** A band between an upper line and a lower one. */
export function band(upper: Spot[], lower: Spot[]): string {
  return upper.length ? `${path(upper)}${path([...lower].reverse()).replace('M', 'L')}Z` : '';
}

/** A figure of an axis: 12 500 is "12.5k". */
export function short(value: number): string {
  const size = Math.abs(value);
  const sign = value < 0 ? '\u2212' : '';
  const trimmed = (n: number): string => String(Number(n.toFixed(1)));
  if (size >= 1e6) return `${sign}${trimmed(size / 1e6)}M`;
  return size >= 1e4 ? `${sign}${trimmed(size / 1e3)}k` : `${sign}${trimmed(size)}`;
}
