import { describe, expect, it } from 'vitest';
import { pageOf } from '../src/routes';

describe('the page of a path', () => {
  it('is that of the first segment, and the rest is the name', () => {
    expect(pageOf('/history/T7/12').page).toBe(pageOf('/history').page);
    expect(pageOf('/history/T7/12').name).toBe('T7/12');
    expect(pageOf('/table/%E9%BE%8D%201').name).toBe('龍 1');
  });

  it('is none where no page has that name, whatever every object has', () => {
    for (const path of ['/nowhere', '/constructor', '/toString/1', '/__proto__']) expect(pageOf(path).page).toBeUndefined();
  });

  it('takes an address that is spelt wrongly as it stands', () => {
    expect(pageOf('/table/%E0%A4').name).toBe('%E0%A4');
    expect(pageOf('/history/%').name).toBe('%');
  });
});
