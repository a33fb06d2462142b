import { describe, expect, it } from 'vitest';

import { decimal, minor, shown } from '../src/lib/money';

describe('money', () => {
  it('is reckoned in whole minor units', () => {
    expect(minor('12.50')).toBe(1250n);
    expect(minor('-0.05')).toBe(-5n);
    expect(minor('7', 2)).toBe(700n);
    expect(decimal(-5n)).toBe('-0.05');
    expect(decimal(1250n, 0)).toBe('1250');
    expect(decimal(minor('90071992547409931.01'))).toBe('90071992547409931.01');
  });

  it('refuses what is no amount', () => {
    for (const wrong of ['', '1e3', '1,000', '0x10', '1.']) expect(() => minor(wrong)).toThrow(RangeError);
    expect(() => minor('1.005', 2)).toThrow('more than 2 decimal places');
  });

  it('is shown as people write it', () => {
    expect(shown('1250000.00')).toBe('1,250,000');
    expect(shown('-1250.50')).toBe('−1,250.50');
    expect(shown('5.00', { sign: true })).toBe('+5');
    expect(shown('0.00', { sign: true })).toBe('0');
    expect(shown('-0.00')).toBe('0');
  });
});
