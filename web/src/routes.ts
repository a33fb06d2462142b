// Which component shows which address. Each is loaded when it is first opened, so a table does not wait for the odds lab.

import type { Component } from 'svelte';
import type { Text } from './lib/language.svelte';

export type Page = { title: Text; load: () => Promise<{ default: Component<{ name: string }> }> };

const PAGES: Record<string, Page> = {
  '': { title: ['Lobby', '大厅'], load: () => import('./lobby/Lobby.svelte') },
  table: { title: ['Table', '牌桌'], load: () => import('./table/Table.svelte') },
  history: { title: ['History', '历史'], load: () => import('./history/History.svelte') },
  account: { title: ['Account', '账户'], load: () => import('./account/Account.svelte') },
  fairness: { title: ['Check a shuffle', '核验洗牌'], load: () => import('./fairness/Fairness.svelte') },
  dealer: { title: ['Dealer', '荷官'], load: () => import('./dealer/Dealer.svelte') },
  pit: { title: ['Pit', '监场'], load: () => import('./pit/Pit.svelte') },
  audit: { title: ['Audit', '审计'], load: () => import('./audit/Audit.svelte') },
  lab: { title: ['Odds lab', '赔率实验室'], load: () => import('./lab/Lab.svelte') },
};

/** The page of a path, and what follows in it: /table/T7 is the page "table" with the name "T7". */
export function pageOf(path: string): { page: Page | undefined; name: string } {
  const [, first = '', ...rest] = path.split('/');
  return { page: Object.hasOwn(PAGES, first) ? PAGES[first] : undefined, name: decoded(rest.join('/')) };
}

/** What an address spells; one that is spelt wrongly is taken as it stands, so that the page can say that there is no such thing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
