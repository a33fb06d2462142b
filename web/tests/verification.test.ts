import { expect, it } from 'vitest';
import { vectors } from 'virtual:shuffle-core';

import type { RevealedShuffle } from '../src/lib/contract';
import { verify } from '../src/fairness/verification';

const vector = vectors[2]!;
const shuffle: RevealedShuffle = {
  table: vector.mix.table, number: vector.mix.number, commitment: vector.commitment, committed_at: 0, revealed_at: 1, secret: vector.secret,
  mix: vector.mix, burned: 1, dealt: vector.first.slice(1),
};
const marks = (told: RevealedShuffle, noted: string | null = null) => verify(told, noted).steps.map((each) => each.mark);

it('agrees with a shuffle as it was', () => {
  const found = verify(shuffle, shuffle.commitment);
  expect(found.agrees).toBe(true);
  expect(found.order.slice(0, vector.first.length)).toEqual(vector.first);
  expect(marks(shuffle, shuffle.commitment).filter((mark) => mark === 'good')).toHaveLength(4);
});

it('finds another secret, another card, another contribution, another commitment', () => {
  const other = { ...shuffle.mix, contributions: [{ person: 'ann', value: 'something else' }] };
  for (const wrong of [
    { ...shuffle, secret: shuffle.secret.replace('2', '3') },
    { ...shuffle, dealt: ['KS', ...shuffle.dealt.slice(1)] },
    { ...shuffle, mix: other },
  ]) expect(verify(wrong, null).agrees).toBe(false);
  expect(verify(shuffle, 'f'.repeat(64)).agrees).toBe(false);
});
