// What the lab of the house says. Fractions are exact and reduced, as texts: "43/415".

import type { Rules, WagerOdds } from '../lib/wire';
import type { Change, Data, Path } from './changes';

export type Subject = { game: string; text: string; changes: Change[]; decks: number | null };
export type Mistake = { line: number; column: number; at: Path; offset: number | null; says: string };

export type LabLine = WagerOdds['lines'][number] & { contribution: string };
export type LabWager = Omit<WagerOdds, 'lines'> & {
  lines: LabLine[];
  exact: {
    house_edge: string; rtp: string; hit_frequency: string; push: string; variance: string; element_of_risk: string | null;
  };
  nets: { net: string; probability: string }[];
  rounds_within_1: number;
};
export type LabOdds = { decks: number; cards: number; digest: string; void: string; wagers: Record<string, LabWager> };
export type Figures = {
  mistakes: Mistake[]; left_out: string[]; rules: Rules | null; odds: LabOdds | null; seconds: number;
};
export type Fact = { name: string; kind: 'truth' | 'number' | 'word'; says: string; words: string[] };
export type File = {
  text: string; data: Data | null; mistakes: Mistake[]; left_out: string[]; facts: Fact[]; choices: Record<string, string[]>;
  decks_max: number;
};
export type Removals = {
  decks: number; seconds: number; cards: { card: string; stands_for: string; effects: Record<string, string> }[];
};
export type OptionFigures = { option: string; chosen: boolean; evs: Record<string, string> };
export type Claim = {
  wager: string; decks: number; published: string; exact: string | null; agrees: boolean; clauses: string[];
};
export type Readings = {
  readings: { reading: string; options: OptionFigures[]; changed: string[] }[];
  claims: { reading: string; option: string; claims: Claim[] }[];
  seconds: number;
};
export type Depth = {
  dealt: number; rounds: number; positive: number; mean: number; high: number; best: number; gain: number;
};
export type Gain = { per_100: number; per_100_error: number; share: number };
export type Counting = {
  wager: string; decks: number; cut: number; shoes: number; rounds: number; seed: number; reshuffled: boolean;
  level: number | null; correlation: number | null; tags: { card: string; tag: number }[]; true_count: number | null;
  counter: Gain; ceiling: Gain; depths: Depth[]; seconds: number;
};
