import { describe, expect, it } from 'vitest';

import type { GameRules, Limit, StakeView } from '../src/lib/contract';
import { doubled, first, inOrder, isGain, placing } from '../src/table/staking';
import { total } from '../src/lib/money';

const limit = (min: string, max: string): Limit => ({ min, max, increment: '0.01' });
const stake = (wager: string, amount: string): StakeView => ({ patron: 'ann', place: 1, wager, amount, placed_by: 'ann', confirmed: true, restack: false });

describe('the tray', () => {
  it('has the smallest chip that is a wager by itself in the hand', () => {
    const chips = ['5.00', '25.00', '100.00'];
    expect(first(chips, { tie: limit('10.00', '200.00') })).toBe('25.00');
    expect(first(chips, { tie: limit('5.00', '200.00'), player: limit('10.00', '200.00') })).toBe('5.00');
    expect(first(chips, { tie: { ...limit('10.00', '200.00'), increment: '50.00' } })).toBe('100.00');
    expect(first(chips, { tie: limit('6.00', '20.00') })).toBe('5.00');
    expect(first([], {})).toBe('');
  });
});

describe('a click', () => {
  const low = limit('10.00', '200.00');
  it('puts the chip down', () => {
    expect(placing('25.00', low, '0')).toEqual({ amount: '25.00', why: '' });
    expect(placing('5.00', low, '10.00')).toEqual({ amount: '5.00', why: '' });
  });
  it('is raised to the minimum, and says so', () => {
    expect(placing('5.00', low, '0')).toEqual({ amount: '10.00', why: 'minimum' });
    expect(placing('5.00', { ...limit('12.50', '200.00'), increment: '5.00' }, '0')).toEqual({ amount: '15.00', why: 'minimum' });
  });
  it('is capped at the maximum, and says so', () => {
    expect(placing('500.00', low, '0')).toEqual({ amount: '200.00', why: 'maximum' });
    expect(placing('25.00', low, '190.00')).toEqual({ amount: '10.00', why: 'maximum' });
    expect(placing('25.00', low, '200.00')).toEqual({ amount: '0.00', why: 'maximum' });
  });
  it('is a whole number of steps', () => {
    expect(placing('25.00', { ...low, increment: '10.00' }, '0')).toEqual({ amount: '20.00', why: 'step' });
    expect(placing('5.00', { ...low, increment: '10.00' }, '10.00')).toEqual({ amount: '10.00', why: 'step' });
  });
});

describe('doubling', () => {
  it('puts as much again, as far as the maximum goes', () => {
    const limits = { tie: limit('10.00', '200.00'), player: limit('10.00', '1000.00') };
    expect(doubled([stake('tie', '150.00'), stake('player', '300.00')], limits)).toEqual([{ wager: 'tie', amount: '50.00' }, { wager: 'player', amount: '300.00' }]);
    expect(doubled([stake('tie', '200.00')], limits)).toEqual([]);
  });
});

describe('an order of wagers', () => {
  it('puts what stands only beside another behind it', () => {
    const rules = { wagers: { pair: { requires: ['tie'] }, tie: { requires: [] } } } as unknown as GameRules;
    expect(inOrder([stake('pair', '5'), stake('tie', '5')], rules).map((each) => each.wager)).toEqual(['tie', 'pair']);
  });
});

describe('a net', () => {
  it('is a gain only above nothing', () => {
    expect(total(['-10.00', '9.50', '0.50'])).toBe('0.00');
    expect(isGain(total(['-10.00', '9.50', '0.50']))).toBe(false);
    expect(isGain('0.05')).toBe(true);
    expect(total([])).toBe('0');
  });
});
