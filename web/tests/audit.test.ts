// Records in words.

import { describe, expect, it } from 'vitest';

import { explained, theirAccounts } from '../src/audit/accounts';
import { eventSentence, flatFields, kindName } from '../src/audit/event_words';
import { accountPath, moment, recordPath } from '../src/audit/paths';
import { pageOf } from '../src/routes';
import type { StoredEvent } from '../src/lib/contract';

const STAKE = { patron: 'ann', place: 3, wager: 'tie', amount: 2000 };
const settled: StoredEvent = { event: 'wager-settled/1', by: 'dee', at: 0, position: 1, clause: 'DT-3.8', stake: STAKE, line: 'Tie', net: 16000 };

describe('a record in words', () => {
  it('fills in who, what and how much', () => {
    expect(eventSentence(settled, 2)).toBe('tie of ann: Tie, +160');
    expect(eventSentence({ ...settled, net: -2050 }, 2)).toBe('tie of ann: Tie, \u221220.50');
    expect(eventSentence({ ...settled, event: 'wager-placed/1', added: 500 }, 0)).toBe('ann wagers 500 on tie at position 3');
  });

  it('is told by its name where there are no words for it', () => {
    expect(eventSentence({ ...settled, event: 'moon-landed/2' }, 2)).toBe('moon landed');
    expect(kindName('table-resumed')).toBe('The table goes on');
    expect(kindName('wager-placed')).toBe('wager placed');
  });

  it('shows every field, those within others too', () => {
    expect(Object.fromEntries(flatFields(settled, 2))).toMatchObject({ 'stake · amount': '20', 'stake · patron': 'ann', line: 'Tie' });
  });
});

describe('addresses', () => {
  it('lead to a record or an account, whatever its name', () => {
    expect(pageOf(recordPath('person:ann', 7)).name).toBe('record/7/person:ann');
    expect(pageOf(accountPath('layout:7/dragon-small')).name).toBe('account/layout:7/dragon-small');
    expect(moment(Date.UTC(2026, 10, 16, 1, 2, 3, 4))).toMatch(/^2026-11-1\d \d\d:\d\d:03\.004$/);
  });

  it('explain what an account is', () => {
    expect(explained('float:T7')).toContain('T7');
    expect(explained('moon:T7')).toBe('');
    expect(theirAccounts('patron:ann')).toContain('world:ann');
    expect(theirAccounts('cage')).toEqual([]);
  });
});
