// Which component shows which address. Each is loaded when it is first opened, so a table does not wait for the odds lab.

import type { Component } from 'svelte';
import type { Code } from './lib/messages.svelte';

export type Page = { title: Code; load: () => Promise<{ default: Component<{ name: string }> }> };

const PAGES: Record<string, Page> = {
  '': { title: 'page.app.title-lobby', load: () => import('./lobby/Lobby.svelte') },
  table: { title: 'page.app.title-table', load: () => import('./table/Table.svelte') },
  history: { title: 'page.app.title-history', load: () => import('./history/History.svelte') },
  account: { title: 'page.app.title-account', load: () => import('./account/Account.svelte') },
  fairness: { title: 'page.app.title-fairness', load: () => import('./fairness/Fairness.svelte') },
  dealer: { title: 'page.app.title-dealer', load: () => import('./dealer/Dealer.svelte') },
  pit: { title: 'page.app.title-pit', load: () => import('./pit/Pit.svelte') },
  cage: { title: 'page.app.title-cage', load: () => import('./cage/Cage.svelte') },
  disputes: { title: 'page.app.title-disputes', load: () => import('./disputes/Disputes.svelte') },
  audit: { title: 'page.app.title-audit', load: () => import('./audit/Audit.svelte') },
  lab: { title: 'page.app.title-lab', load: () => import('./lab/Lab.svelte') },
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
