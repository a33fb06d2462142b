// What the accounts of the ledger are, in words.

import { say, type Text } from '../lib/language.svelte';

const KINDS: Record<string, Text> = {
  world: ['The wallet of {whose}: what is in it moves with this account in all trails together.', '{whose} 的钱包：随此账户在所有记录中的变动而变动。'],
  patron: ['Chips of {whose}, table by table.', '{whose} 在各牌桌的筹码。'], layout: ['What lies on {whose} of the layout, table by table.', '各牌桌台面 {whose} 上的投注。'],
  float: ['The tray of table {whose}.', '牌桌 {whose} 的筹码盘。'], drop: ['The drop box of table {whose}.', '牌桌 {whose} 的投箱。'], unpaid: ['What {whose} owes.', '{whose} 的欠付。'],
  outside: ['Money of {whose} that came from outside, or went there.', '{whose} 的场外资金。'], 'over-short': ['What counts of the tray of {whose} were over the ledger, or short of it.', '{whose} 清点的长短款。'], cage: ['The cage of the house.', '本场账房。'],
};

export function explained(account: string): string {
  const [kind = '', ...rest] = account.split(':');
  const words = KINDS[kind];
  return words ? say(words, { whose: rest.join(':') }) : '';
}

/** Whoever has one of these accounts has the others, too. */
export function theirAccounts(account: string): string[] {
  const [kind = '', ...rest] = account.split(':');
  return ['world', 'patron', 'outside', 'unpaid'].includes(kind) && rest.length ? ['world', 'patron', 'outside'].map((each) => `${each}:${rest.join(':')}`) : [];
}
