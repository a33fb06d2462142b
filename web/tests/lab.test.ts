import { describe, expect, test } from 'vitest';

import { changed, drawsOn, origin, same, valueAt, withChange, worded, type Change, type DrawRow } from '../src/lab/changes';
import { approximately, decimal, minus, percent, sign, signedPercent } from '../src/lab/fraction';
import { checked, packed, unpacked } from '../src/lab/share';

const DATA = { wager: [{ id: 'tie', lines: [{ when: 'tie', pays: '11:1' }, { when: 'x', result: 'push' }] }], reading: [{ id: 'pair', taken: 'rank' }] };
const LINES = ['wager', 0, 'lines'];
const set = (at: Change['at'], to: string): Change => ({ do: 'set', at, to });

describe('changes', () => {
  test('are made in order, and what was given stays as it was', () => {
    const before = structuredClone(DATA);
    const after = changed(DATA, [
      set([...LINES, 0, 'pays'], '12:1'),
      { do: 'insert', at: [...LINES, 0], to: { when: 'new', pays: '2:1' } },
      { do: 'move', at: [...LINES, 0], to: 2 },
      { do: 'remove', at: [...LINES, 1] },
      { do: 'remove', at: ['wager', 0, 'id'] },
    ]);
    expect(after).toEqual({ wager: [{ lines: [{ when: 'tie', pays: '12:1' }, { when: 'new', pays: '2:1' }] }], reading: [{ id: 'pair', taken: 'rank' }] });
    expect(DATA).toEqual(before);
  });

  test('take another reading, and take it back', () => {
    const game = {
      deal: { pair: 'rank' },
      wager: [{ id: 'tie', layouts: ['A'] }],
      reading: [{ id: 'r', taken: 'one', options: { one: 'as it is', two: { says: 'otherwise', change: [{ at: 'deal.pair', from: 'rank', to: 'points' }, { at: 'wager.tie.layouts', from: ['A'], to: [] }] } } }],
    };
    const there = changed(game, [{ do: 'read', at: ['r'], to: 'two' }]);
    expect(there).toMatchObject({ deal: { pair: 'points' }, wager: [{ layouts: [] }], reading: [{ taken: 'two', options: { two: 'otherwise' } }] });
    expect(changed(game, [{ do: 'read', at: ['r'], to: 'two' }, { do: 'read', at: ['r'], to: 'one' }])).toEqual(game);
    expect(changed(game, [{ do: 'read', at: ['r'], to: 'three' }])).toEqual(game);
  });

  test('leave a text its translations, by its English', () => {
    const data = { translations: { 'zh-Hans': { Tie: '和' }, 'zh-Hant': { Tie: '和', Player: '閒' } } };
    expect(worded(data, 'Tie')).toEqual({ en: 'Tie', 'zh-Hans': '和', 'zh-Hant': '和' });
    expect(worded(data, { en: 'Player', zh: '闲' })).toEqual({ en: 'Player', 'zh-Hans': '闲', 'zh-Hant': '閒' });
    expect(worded(null, undefined)).toEqual({ en: '' });
  });

  test('without a place are left to the house', () => {
    expect(changed(DATA, [set(['nowhere', 'x'], 'y'), { do: 'move', at: ['wager', 0, 'id'], to: 3 }])).toEqual(DATA);
  });

  test('typing on in a field is one change', () => {
    const typed = ['1', '12', '12:1'].reduce<Change[]>((changes, text) => withChange(changes, set([...LINES, 0, 'pays'], text)), []);
    expect(typed).toEqual([set([...LINES, 0, 'pays'], '12:1')]);
    expect(withChange(typed, set([...LINES, 0, 'when'], 'x'))).toHaveLength(2);
  });

  test('know where a line stood before them', () => {
    const changes: Change[] = [{ do: 'insert', at: [...LINES, 1], to: {} }, { do: 'move', at: [...LINES, 2], to: 0 }];
    // before: a b; after the insertion: a new b; after the move: b a new
    expect([0, 1, 2].map((place) => origin([...LINES, place, 'pays'], changes)?.[3])).toEqual([1, 0, undefined]);
    expect(origin([...LINES, 0], [{ do: 'remove', at: [...LINES, 0] }])).toEqual([...LINES, 1]);
    expect(origin(['wager', 1, 'lines', 0], changes)).toEqual(['wager', 1, 'lines', 0]);
  });

  test('of a draw table split a row only where others stay', () => {
    const rows: DrawRow[] = [{ on: [0, 1], draws: 'always' }, { on: [2], draws: 'never' }];
    const after = (total: number, draws: string | number[]) => valueAt(changed({ deal: { player: rows } }, drawsOn(rows, ['deal', 'player'], total, draws)), ['deal', 'player']);
    expect(after(1, [2, 3])).toEqual([{ on: [0], draws: 'always' }, { on: [1], draws: [2, 3] }, { on: [2], draws: 'never' }]);
    expect(after(2, 'always')).toEqual([{ on: [0, 1], draws: 'always' }, { on: [2], draws: 'always' }]);
    expect(drawsOn(rows, ['deal', 'player'], 0, 'always')).toEqual([]);
  });

  test('same compares what is inside', () => {
    expect(same({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toBe(true);
    expect(same({ a: [1] }, { a: [1, 2] })).toBe(false);
    expect(same(null, {})).toBe(false);
  });
});

describe('fractions', () => {
  test.each([
    ['43/415', '10.3614%'],
    ['-1/2', '\u221250.0000%'],
    ['1/2000000', '0.0001%'], // half of the last digit is rounded up
    ['-1/3000000', '0.0000%'], // and what is nothing has no sign
    ['1', '100.0000%'],
  ])('%s is %s', (exact, shown) => expect(percent(exact)).toBe(shown));

  test('are exact until they are shown', () => {
    const third = '1'.repeat(60) + '/' + '3'.repeat(60);
    expect(decimal(minus(third, '1/3'), 12)).toBe('0.000000000000');
    expect(sign(minus('1/3', '33333333/100000000'))).toBe(1);
    expect(signedPercent('31/415', 2)).toBe('+7.47%');
  });

  test('can be drawn however long they are', () => {
    expect(approximately(`${'7'.repeat(900)}/${'9'.repeat(900)}`)).toBeCloseTo(7 / 9, 12);
    expect(approximately('-3/4')).toBe(-0.75);
  });
});

describe('what is shared', () => {
  const kept = { text: '', changes: [set([...LINES, 0, 'pays'], '12:1')], decks: 6 };

  test('comes back as it was', async () => {
    expect(await unpacked(await packed(kept))).toEqual(kept);
  });

  test('is not believed where it is something else', async () => {
    for (const hash of ['', '#changes=', '#changes=!!!', '#else', `#changes=${'A'.repeat(70_000)}`]) expect(await unpacked(hash)).toBeNull();
    for (const told of [null, 7, {}, { text: '', changes: 7, decks: null }, { text: '', changes: [7], decks: null }, { text: '', changes: [], decks: 'x' }]) expect(checked(told)).toBeNull();
  });
});
