// What the accounts of the ledger are, in words.

import { hasWord, word } from '../lib/messages.svelte';

export function explained(account: string): string {
  const [kind = '', ...rest] = account.split(':');
  return hasWord('account', kind) ? word('account', kind, { whose: rest.join(':') }) : '';
}

/** Whoever has one of these accounts has the others, too. */
export function theirAccounts(account: string): string[] {
  const [kind = '', ...rest] = account.split(':');
  return ['world', 'patron', 'outside', 'unpaid'].includes(kind) && rest.length ? ['world', 'patron', 'outside'].map((each) => `${each}:${rest.join(':')}`) : [];
}
