// What the lab says in more than one of its parts.

import type { Texts } from '../lib/language.svelte';

export const TEXTS = {
  title: ['Odds lab', '赔率实验室'],
  edge: ['House edge', '庄家优势'],
  returns: ['Returns', '返还率'],
  wager: ['Wager', '投注'],
  decks: ['Decks', '副数'],
  exact: ['Exactly', '精确值'],
  was: ['was {before}', '原为 {before}'],
  added: ['new', '新增'],
  counting: ['Counting every deal…', '正在清点所有发牌…'],
  putRight: ['Put the mistakes right first: what is marked in red.', '请先改正标红的错误。'],
  seconds: ['{n} s', '{n} 秒'],
  milliseconds: ['{n} ms', '{n} 毫秒'],
  patron: ['in favour of the patron', '对客人有利'],
} satisfies Texts;
