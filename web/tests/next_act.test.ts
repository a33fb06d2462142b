import { describe, expect, it } from 'vitest';
import { callsFor, followUps, nextAct } from '../src/dealer/next_act';
import type { Acts, Command } from '../src/lib/contract';

const acts = (told: string[], ready: string[] = [], above: Acts['above'] = []): Acts => ({
  sequence: 1, told, due: null, turns: null, result: null, ready: ready.map((command) => ({ command }) as Command), above, seconds: {}, awaited: null,
});

describe('the next act', () => {
  it('is what brings the round forward, not what happens to be open', () => {
    expect(nextAct(acts(['verify-cards', 'suspend-table', 'draw-card']), false)?.name).toBe('draw-card');
    expect(nextAct(acts(['verify-cards'], ['load-shoe', 'call-place-your-bets']), false)?.name).toBe('call-place-your-bets');
    expect(nextAct(acts(['verify-cards'], ['load-shoe']), false)?.name).toBe('load-shoe');
    expect(nextAct(acts([], ['take-the-deal']), false)?.name).toBe('take-the-deal');
  });

  it('is none while the round waits', () => {
    expect(nextAct(acts(['draw-card']), true)).toBeNull();
  });

  it('keeps every whole form of a command', () => {
    const both: Acts = { ...acts([]), ready: [{ command: 'reveal-hand', hand: 'player' }, { command: 'reveal-hand', hand: 'banker' }] };
    expect(nextAct(both, false)?.ready).toHaveLength(2);
  });
});

describe('what waits', () => {
  it('is the own steps and those of whoever is called, in the order in which they are done', () => {
    const found = followUps(acts(['make-ruling', 'answer-withdrawal-offer'], [], [{ position: 'gaming-shift-manager', ready: [{ command: 'attend-search' }], told: [] }]));
    expect(found.map((each) => [each.name, each.position])).toEqual([['attend-search', 'gaming-shift-manager'], ['make-ruling', ''], ['answer-withdrawal-offer', '']]);
  });

  it('names the position that must be called', () => {
    expect(callsFor(acts([], [], [{ position: 'pit-manager', ready: [], told: ['make-ruling'] }]))[0]?.position).toBe('pit-manager');
  });
});

it('is no counting of cards in the middle of a round', () => {
  expect(nextAct(acts(['verify-cards'], ['take-the-deal']), false, false, true)).toBeNull();
  expect(nextAct(acts(['verify-cards', 'draw-card']), false, false, true)?.name).toBe('draw-card');
});
