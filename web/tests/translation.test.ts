import { describe, expect, it } from 'vitest';

import { SENTENCES } from '../src/lib/house_sentences';
import { STAFF_SENTENCES } from '../src/lib/staff_sentences';
import { translator } from '../src/lib/translation';

const ALL = [...SENTENCES, ...STAFF_SENTENCES];
const chinese = translator(ALL, { Player: '闲', Banker: '庄', Tie: '和', 'Power failure': '停电', 'A patron with cards is absent': '持牌客人不在场' });

describe('sentences of the house', () => {
  it.each([
    ['Player has 4: Player draws (IDT-3.13-P05)', '闲 4 点：闲补牌 (IDT-3.13-P05)'],
    ["Banker has 2 and Player's third card is 5: Banker draws (IDT-3.13-B02)", '庄 2 点，闲第三张为 5：庄补牌 (IDT-3.13-B02)'],
    ['Player 6, Banker 1: Player wins', '闲 6 点，庄 1 点：闲赢'],
    ['Player has a natural 8 and Banker has a natural 9: no more cards are dealt', '闲例牌 8 点、庄例牌 9 点：不再发牌'],
    ['ann has 5.00 in chips.', 'ann有筹码 5.00。'],
    ['50.00 is over the maximum of 40.00.', '50.00 超过最高注 40.00。'],
    ['Player or Banker', '闲或庄'],
    ['Buy chips first.', '请先购买筹码。'],
    ['a pit supervisor decides this, not a dealer', '此项由监场主任决定，不由荷官决定'],
    ['Guest-7 pays from an account.', 'guest-7从账户付款。'],
    ['A round is open already.', '已有牌局进行中。'],
    ['Ask a pit manager', '请找监场经理'],
    ['Banker would lead by more than the notice allows', '庄将超出告示所允许的差额'],
    ['position 2 takes 1 patrons', '2 号位只容 1 位客人'],
    ['A patron with cards is absent: guest-7 is absent', '持牌客人不在场：guest-7缺席'],
    ['Power failure: the lights went out', '停电：the lights went out'],
    ['alba took out the proof of shoe 3', 'alba导出了shoe 3的证明'],
    ['guest-1 has 12 seconds more to reveal the cards', 'guest-1还有 12 秒开牌'],
  ])('%s', (en, zh) => expect(chinese(en)).toBe(zh));

  it('leaves alone what it does not know', () => expect(chinese('Something new happened.')).toBe('Something new happened.'));

  it('does not take a name that comes twice for two names', () => expect(chinese('Player has 4: Banker draws')).toBe('Player has 4: Banker draws'));

  it('has Chinese for every pattern, with the same places', () => {
    for (const [en, zh] of ALL) {
      expect(zh).toMatch(/\p{Script=Han}|^A$/u);
      for (const [, name] of zh.matchAll(/\{(\w+)\}/g)) expect(en).toContain(`{${name}}`);
    }
  });
});
