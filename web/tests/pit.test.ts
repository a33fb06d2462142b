// What the pit reckons in the page: counts of chips, the order of the floor, what was altered in settings, where a plot's points lie.

import { describe, expect, it } from 'vitest';

import { denominations, fewest, total } from '../src/pit/denominations';
import { chosen, needsAttention, ordered, statusOf, sum } from '../src/pit/floor_order';
import { band, path, placed, scaleOf, short } from '../src/pit/plot';
import { changesOf, draftOf } from '../src/pit/settings_changes';
import { decisions } from '../src/pit/decisions';
import type { Command, FloorTable, TableSettings } from '../src/lib/contract';

const TABLE: FloorTable = {
  table: 'T1', game: 'dragon-tiger', name: { en: 'Dragon Tiger', 'zh-Hans': '龙虎' }, version: '1', open: true, suspended: null, stopped: '', dealer: '', automatic: true, round: 1, phase: '', waits: [],
  seats: 7, patrons: 2, minimum: '5.00', maximum: '500.00', differential: null, layout: 'A', decks: 8, method: '', staked: '0.00', tray: '100.00', drop: '50.00', win: '10.00', hold: 0.2,
  rounds_per_hour: 60, requests: 0, alerts: 0, cards_left: 100, driven_by: 'n1',
};
const LUNCH = { code: 'suspended-for-reason', args: { reason: 'lunch' } };
const RULING = { code: 'ruling-awaited', args: { incident: { code: 'as-told', args: { text: 'a card fell' } } } };
const table = (told: Partial<FloorTable>): FloorTable => ({ ...TABLE, ...told });

describe('a count sheet', () => {
  it('has the chips of the house from the largest, and the unit of the table where that is smaller', () => {
    expect(denominations(2, '0.01')[0]).toBe('10000.00');
    expect(denominations(2, '0.01').at(-1)).toBe('0.01');
    expect(denominations(2, '5.00').at(-1)).toBe('5.00');
    expect(denominations(0, '1').at(-1)).toBe('1');
  });

  it('comes to the exact amount, however large', () => {
    expect(total({ '10000.00': 900_719_925_475, '0.01': 3 }, 2)).toBe(900_719_925_475_000_003n);
    expect(total({}, 2)).toBe(0n);
  });

  it('lays an amount out in the fewest chips', () => {
    const values = denominations(2, '0.01');
    const counted = fewest('98230.57', values, 2);
    expect(counted['10000.00']).toBe(9);
    expect(counted['0.01']).toBe(57);
    expect(total(counted, 2)).toBe(9_823_057n);
  });
});

describe('the floor', () => {
  it('says the gravest thing of each table', () => {
    expect(statusOf(table({}))).toBe('open');
    expect(statusOf(table({ suspended: LUNCH }))).toBe('suspended');
    expect(statusOf(table({ suspended: LUNCH, waits: [RULING] }))).toBe('waits');
    expect(statusOf(table({ open: false }))).toBe('closed');
    expect(statusOf(table({ stopped: 'a defect', waits: [RULING] }))).toBe('stopped');
    expect(needsAttention(table({ requests: 1 }))).toBe(true);
    expect(needsAttention(table({ suspended: LUNCH }))).toBe(false);
  });

  it('shows what is chosen, in the order that is asked for', () => {
    const tables = [table({ table: 'B', win: '-5.00' }), table({ table: 'A', win: '7.00', alerts: 1 }), table({ table: 'C', open: false, win: null })];
    expect(ordered(tables, 'win').map((each) => each.table)).toEqual(['A', 'B', 'C']);
    expect(ordered(tables, 'name').map((each) => each.table)).toEqual(['A', 'B', 'C']);
    expect(ordered(tables, 'attention')[0]?.table).toBe('A');
    expect(chosen(tables, 'closed', '', '').map((each) => each.table)).toEqual(['C']);
    expect(chosen(tables, 'attention', '', '').map((each) => each.table)).toEqual(['A']);
    expect(chosen(tables, 'all', '', '龙虎')).toHaveLength(3);
    expect(chosen(tables, 'all', 'dragon-21', '')).toHaveLength(0);
    expect(sum(tables.map((each) => each.win), 2)).toBe(200n);
  });
});

describe('settings for the next round', () => {
  const settings = { limits: { tie: { min: '5.00', max: '100.00', increment: '0.01' } }, differential: null, method: 'A', decks: 8, chip_unit: '0.01', rounding: '', chip_values: [] } as unknown as TableSettings;

  it('asks for what was altered alone', () => {
    const draft = draftOf(settings);
    expect(changesOf(settings, draft)).toEqual({});
    draft.limits['tie'] = { min: '5', max: '100.0', increment: '0.01' };
    expect(changesOf(settings, draft)).toEqual({});
    draft.limits['tie'] = { min: ' 10 ', max: '100.0', increment: '0.01' };
    draft.differential = '5000.00';
    draft.decks = 6;
    draft.unit = '5.00';
    expect(changesOf(settings, draft)).toEqual({ limits: { tie: { min: '10', max: '100.0', increment: '0.01' } }, differential: '5000.00', decks: 6, chip_unit: '5.00' });
    expect(settings.limits['tie']?.min).toBe('5.00');
  });

  it('takes a differential away, and leaves nonsense to the house', () => {
    const with_one = { ...settings, differential: '50.00' };
    expect(changesOf(with_one, { ...draftOf(with_one), differential: ' ' })).toEqual({ differential: null });
    expect(changesOf(with_one, { ...draftOf(with_one), differential: 'much' })).toEqual({ differential: 'much' });
  });
});

describe('a plot', () => {
  it('has a scale of round numbers that holds everything and zero', () => {
    const scale = scaleOf([-430, 912]);
    expect(scale.low).toBeLessThanOrEqual(-430);
    expect(scale.high).toBeGreaterThanOrEqual(912);
    expect(scale.ticks).toContain(0);
    expect(scaleOf([]).high).toBeGreaterThan(0);
    expect(scaleOf([0, 0]).ticks.length).toBeGreaterThan(1);
  });

  it('lays points between the ends', () => {
    expect(placed(5, { low: 0, high: 10 }, 100, 0)).toBe(50);
    expect(path([[0, 1], [2, 3]])).toBe('M0.0 1.0L2.0 3.0');
    expect(band([[0, 0], [1, 0]], [[0, 2], [1, 2]])).toBe('M0.0 0.0L1.0 0.0L1.0 2.0L0.0 2.0Z');
    expect(band([], [])).toBe('');
    expect([short(950), short(-12_500), short(3_000_000)]).toEqual(['950', '\u221212.5k', '3M']);
  });
});

it('the pit gives by forms what has no place of its own on its page, each once', () => {
  const ready = ['make-ruling', 'make-ruling', 'suspend-table'].map((command) => ({ command }) as Command);
  const acts = { sequence: 1, ready, told: ['judge-irregularity', 'cap-area', 'free-seat'], due: null, turns: null, result: null, above: [], seconds: {}, awaited: null };
  expect(decisions(acts, (command) => command !== 'cap-area')).toEqual(['make-ruling', 'judge-irregularity']);
});
