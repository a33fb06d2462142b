import { expect, test, vi } from 'vitest';
import { newId } from '../src/lib/api';

test('ids never repeat, and follow the clock', () => {
  const ids = Array.from({ length: 1000 }, newId);
  expect(new Set(ids).size).toBe(1000);
  expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  vi.useFakeTimers({ now: Date.parse('2026-01-01') });
  const earlier = newId();
  vi.setSystemTime(Date.parse('2026-01-01T00:00:00.001Z'));
  expect(newId() > earlier).toBe(true);
  vi.useRealTimers();
});
