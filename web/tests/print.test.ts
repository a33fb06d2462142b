import { describe, expect, it } from 'vitest';

import type { GameRules, LayoutRules, LineRules, WagerRules } from '../src/lib/contract';
import { keyAct } from '../src/table/keys';
import { letters, nameOf, pays, paysBriefly, wagersOf } from '../src/table/print';

const wager = (...odds: (string | null)[]): WagerRules =>
  ({ lines: odds.map((each) => ({ says: { en: '' }, when: '', result: each ? 'win' : 'lose', pays: each, commission: null, clauses: [] }) satisfies LineRules) }) as unknown as WagerRules;

describe('what the felt prints', () => {
  it('is every odds of a wager in little room', () => {
    expect(pays(wager('11:1', null))).toBe('11:1');
    expect(pays(wager('100:1', '30:1', '40:1', null))).toBe('30 · 40 · 100:1');
    expect(pays(wager('3:2', '5:1', '1:1'))).toBe('1:1 · 3:2 · 5:1');
    expect(pays(wager('1:1', '30:1', '10:1', '6:1', '4:1', '2:1', '1:1'))).toBe('1–30:1');
    expect(paysBriefly(wager('100:1', '30:1', '40:1'))).toBe('30–100:1');
    expect(pays(wager(null))).toBe('');
  });
});

describe('people', () => {
  const seats = {
    '#1': { person: '#1', seat: 3, nominee: '', name: '' },
    '#2': { person: '#2', seat: null, nominee: '', name: '' },
    '#4': { person: '#4', seat: 5, nominee: '', name: 'Lucky Seven' },
    '#5': { person: '#5', seat: null, nominee: '', name: '' },
    'robot-ruby': { person: 'robot-ruby', seat: 1, nominee: '', name: '' },
  };

  it('are called by the name they chose, or by where they are', () => {
    expect(['#1', '#2', '#4', '#5', '#9', '#1 nominee', 'somebody'].map((each) => nameOf(seats, each))).toEqual(
      ['Seat 3', 'Standing 1', 'Lucky Seven', 'Standing 2', 'Somebody', 'Nominee', 'Somebody'],
    );
    expect(nameOf(seats, '#1', true)).toBe(''); // the number of the seat stands beside it
  });

  it('have their names for staff', () => expect(nameOf(seats, 'robot-ruby')).toBe('ruby'));
});

describe('keys', () => {
  const layout = { rows: [{ areas: ['tie', 'odds', 'tie'] }, { areas: ['tiger-big', 'tiger', 'dragon'] }] } as unknown as LayoutRules;
  const names = { tie: 'Tie', tiger: 'Tiger', dragon: 'Dragon', 'tiger-big': 'Tiger Big' };
  const rules = { wagers: Object.fromEntries(Object.entries(names).map(([id, en]) => [id, { name: { en }, hand: id === 'tiger' || id === 'dragon' ? id : null }])) } as unknown as GameRules;

  it('give each area a letter of its name, none twice, and none that does something else', () => {
    expect(wagersOf(layout)).toEqual(['tie', 'tiger-big', 'tiger', 'dragon']);
    const found = letters(layout, rules);
    expect(found).toEqual({ tiger: 't', dragon: 'a', tie: 'i', 'tiger-big': 'b' });
  });

  it('are chips, areas and acts, and left alone with Ctrl or while somebody writes', () => {
    const key = (name: string, more = {}) => keyAct({ key: name, ctrlKey: false, metaKey: false, altKey: false, target: null, ...more });
    expect(key('3')).toEqual({ act: 'chip', index: 2 });
    expect(key('T')).toEqual({ act: 'area', letter: 't' });
    expect(key('z')).toEqual({ act: 'undo' });
    expect(key('?')).toEqual({ act: 'help' });
    expect(key('r', { ctrlKey: true })).toBeNull();
    expect(key('t', { target: { closest: () => ({}) } })).toBeNull();
    expect(key('Enter')).toBeNull();
  });
});
