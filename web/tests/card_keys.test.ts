import { describe, expect, it } from 'vitest';
import { NOTHING, typed, type Typed } from '../src/dealer/card_keys';

function type(keys: string[]): Typed {
  return keys.reduce<Typed>((before, key) => typed(before, key) ?? before, NOTHING);
}

describe('a card as it is typed', () => {
  it.each([
    ['5 h', '5H'],
    ['K S', 'KS'],
    ['t d', 'TD'],
    ['1 0 c', 'TC'],
    ['0 c', 'TC'],
    ['1 s', 'AS'],
    ['a s', 'AS'],
    ['5 h q d', 'QD'],
    ['5 6 h', '6H'],
    ['5 x h', '5H'],
  ])('%s is %s', (keys, card) => {
    expect(type(keys.split(' ')).card).toBe(card);
  });

  it('takes back the suit, then the rank', () => {
    expect(type(['5', 'h', 'Backspace'])).toEqual({ rank: '5', card: '' });
    expect(type(['5', 'h', 'Backspace', 'Backspace'])).toEqual(NOTHING);
    expect(type(['5', 'h', 'Escape'])).toEqual(NOTHING);
  });

  it('knows no suit before a rank', () => {
    expect(typed(NOTHING, 'h')).toBeNull();
    expect(typed(NOTHING, 'Enter')).toBeNull();
  });
});
