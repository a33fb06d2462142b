// Records in words.

import { describe, expect, it } from 'vitest';

import { explained, theirAccounts } from '../src/audit/accounts';
import { eventSentence, flatFields } from '../src/audit/event_words';
import { accountPath, recordPath } from '../src/audit/paths';
import { moment, useNames } from '../src/lib/localization';
import { pageOf } from '../src/routes';
import type { StoredEvent } from '../src/lib/contract';

const STAKE = { patron: 'ann', place: 3, wager: 'tie', amount: 2000 };
const settled: StoredEvent = { event: 'wager-settled/1', by: 'dee', at: 0, position: 'dealer', clause: 'DT-3.8', stake: STAKE, line: 0, result: 'win', net: 16000 };

describe('a record in words', () => {
  it('fills in who, what and how much', () => {
    expect(eventSentence(settled, 2)).toBe('tie of ann: wins, +160');
    expect(eventSentence({ ...settled, net: -2050 }, 2)).toBe('tie of ann: wins, \u221220.50');
    expect(eventSentence({ ...settled, event: 'wager-placed/1', added: 500 }, 0)).toBe('ann: 500 on tie, position 3');
  });

  it('is told by its name where there are no words for it', () => {
    expect(eventSentence({ ...settled, event: 'moon-landed/2' }, 2)).toBe('moon landed');
    expect(eventSentence({ ...settled, event: 'table-resumed/1' }, 2)).toBe('Table resumed');
  });

  it('names wagers, hands and kinds in words', () => {
    useNames({ id: 'dragon-tiger', name: { en: 'Dragon Tiger' }, wagers: { tie: { name: { en: 'Tie' } } }, hands: [{ id: 'dragon', name: { en: 'Dragon' } }] });
    expect(eventSentence({ ...settled, event: 'wager-placed/1', added: 500 }, 0)).toBe('ann: 500 on Tie, position 3');
    expect(eventSentence({ ...settled, event: 'announcement-contradicted/1', announced: 'dragon', cards_say: 'tie' }, 0)).toBe('Dragon announced, the cards say Tie');
    expect(eventSentence({ ...settled, event: 'irregularity-found/1', kind: 'power-failure' }, 0)).toBe('Irregularity: Power failure');
    const refused = { code: 'list-of-two', args: { first: 'Player', second: 'Banker' } };
    expect(eventSentence({ ...settled, event: 'command-refused/1', reason: refused }, 0)).toBe('Refused: Player and Banker');
  });

  it('shows every field, those within others too', () => {
    expect(Object.fromEntries(flatFields(settled, 2))).toMatchObject({ 'stake · amount': '20', 'stake · patron': 'ann', line: '0' });
  });
});

describe('addresses', () => {
  it('lead to a record or an account, whatever its name', () => {
    expect(pageOf(recordPath('person:ann', 7)).name).toBe('record/7/person:ann');
    expect(pageOf(accountPath('layout:7/dragon-small')).name).toBe('account/layout:7/dragon-small');
    expect(moment(Date.UTC(2026, 10, 16, 1, 2, 3, 4), 'milliseconds')).toMatch(/^2026-11-1\d \d\d:\d\d:03\.004$/);
  });

  it('explain what an account is', () => {
    expect(explained('float:T7')).toContain('T7');
    expect(explained('moon:T7')).toBe('');
    expect(theirAccounts('patron:ann')).toContain('world:ann');
    expect(theirAccounts('cage')).toEqual([]);
  });
});
