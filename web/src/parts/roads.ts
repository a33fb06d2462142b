// The roads as a reader sees and hears them. What lies where is worked out by the house; here it is only drawn.

import { named, say, speech, type Texts } from '../lib/language.svelte';
import type { Roads } from '../lib/contract';

export const TEXTS = {
  title: ['Roads', '路单'],
  bead: ['Bead plate', '珠盘路'],
  big: ['Big road', '大路'],
  'big-eye-boy': ['Big eye boy', '大眼仔'],
  'small-road': ['Small road', '小路'],
  'cockroach-pig': ['Cockroach pig', '曱甴路'],
  tie: ['Tie', '和'],
  pair: ['{hand} pair', '{hand}对'],
  rounds: ['Rounds', '局数'],
  ask: ['If {hand} wins next', '若下局{hand}胜'],
  askHint: ['Shows what the roads would gain. It foretells nothing.', '显示各路将如何延伸，不作预测。'],
  red: ['red: regular', '红：齐整'],
  blue: ['blue: irregular', '蓝：不齐'],
  colours: ['On the three small roads red means regular, blue irregular; neither means a hand.', '三条下路中红表示齐整，蓝表示不齐，与闲庄龙虎无关。'],
  none: ['No round of this shoe has ended yet.', '本靴尚无结束的牌局。'],
  hidden: ['This table shows no results.', '本桌不显示结果。'],
  summary: ['{rounds} rounds of shoe {shoe}: {counts}', '第 {shoe} 靴，共 {rounds} 局：{counts}'],
  results: ['Results of this shoe, in order', '本靴结果，按顺序'],
  nothing: ['nothing yet', '尚无'],
} satisfies Texts;

export type DerivedName = 'big-eye-boy' | 'small-road' | 'cockroach-pig';
export type RoadPlace = { column: number; row: number };
export const DERIVED: readonly DerivedName[] = ['big-eye-boy', 'small-road', 'cockroach-pig'];
export type Side = 'first' | 'second' | 'tie';

/** Which of the two hands it is, or neither. */
export function sideOf(roads: Roads, winner: string): Side {
  return winner === roads.hands[0].id ? 'first' : winner === roads.hands[1].id ? 'second' : 'tie';
}

/** A hand or a tie, by name. */
export function nameOf(roads: Roads, winner: string): string {
  const hand = roads.hands.find((each) => each.id === winner);
  return hand ? named(hand) : say(TEXTS.tie);
}

/** What is written into a bead: a letter, or one Chinese character. */
export function signOf(roads: Roads, winner: string): string {
  const hand = roads.hands.find((each) => each.id === winner);
  if (!hand) return speech.now === 'zh' ? say(TEXTS.tie) : '=';
  return speech.now === 'zh' && hand.zh && [...hand.zh].length === 1 ? hand.zh : hand.sign;
}

/** So many columns that all marks have room, with a little to come, and no fewer than `least`. */
export function columnsFor(marks: readonly RoadPlace[], least: number): number {
  return Math.max(least, ...marks.map((each) => each.column + 2));
}

/** "Player 12, Banker 9, Tie 2" */
export function countsText(roads: Roads): string {
  return Object.entries(roads.counts).map(([winner, count]) => `${nameOf(roads, winner)} ${count}`).join(speech.now === 'zh' ? '，' : ', ');
}
