// What the program that checks shuffles tells; see web/check_core.ts.
declare module 'virtual:shuffle-core' {
  import type { Mix } from '../lib/contract';

  export type Finding = { mark: 'good' | 'bad' | 'trace' | 'remark'; says: string } & Record<string, string | number>;
  export type Told = { mix: Mix; secret: string; commitment: string; dealt: string[]; burned: number };
  export type Checked = { findings: Finding[]; broken?: boolean };
  export type Vector = Told & { says: string; first: string[] };
  export const vectors: Vector[];
  export function checkShuffle(told: Told): Checked;
  export function order(mix: Mix, secret: string, first?: number): string[];
  export function selfTest(vectors: Vector[]): { right: number; total: number };
}
