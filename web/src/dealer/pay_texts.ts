import type { Texts } from '../lib/language.svelte';

export const payListTexts = {
  layout: ['On the layout', '台面投注'], due: ['Collect, then pay', '先收后派'], collect: ['Collect', '收取'], pay: ['Pay', '派付'], back: ['Stays with the patron', '归客人'],
  stays: ['back', '退回'], none: ['No wagers lie on the layout.', '台面没有投注。'], commission: ['commission {n}', '佣金 {n}'], returned: ['{n} goes back', '退回 {n}'],
  standing: ['standing', '站立'], capped: ['{who}: {n} over the cap of the round stays in the tray.', '{who}：超出本局上限的 {n} 留在筹码盘。'],
} satisfies Texts;
