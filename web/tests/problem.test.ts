import { describe, expect, it } from 'vitest';
import { Problem } from '../src/lib/api';
import { sentence } from '../src/lib/sentence';

describe('a problem', () => {
  it('says what can be done, where a reader can do it', () => {
    expect(new Problem(409, 'Refused', 'Too late.', 'Bet in the next round.', 'BET-1').remedy).toBe('Bet in the next round.');
  });

  it('keeps to itself what only a program could do', () => {
    expect(new Problem(404, 'Unknown', "No table is called 'T9'.", 'GET /api/tables lists them.', '').remedy).toBe('');
  });

  it('is a sentence where the house gave half of one', () => {
    const found = new Problem(409, 'Refused', 'the chips do not come to the amount', 'buy more', '');
    expect([found.message, found.remedy]).toEqual(['The chips do not come to the amount.', 'Buy more.']);
    expect(sentence('筹码不足')).toBe('筹码不足。');
    expect(sentence('')).toBe('');
  });

  it('falls back on its title', () => {
    expect(new Problem(502, 'Bad gateway', '', '', '').message).toBe('Bad gateway');
  });
});
