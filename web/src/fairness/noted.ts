// Commitments that this browser has seen while a shoe was in use: what was noted before cannot be changed afterwards.

const KEPT = 'longhu.commitments';
const MOST = 200;

/** Note a commitment, the first time that it is seen. */
export function note(table: string, number: number, commitment: string): void {
  const kept = all();
  const name = `${table}/${number}`;
  if (name in kept) return;
  const entries = [...Object.entries(kept), [name, commitment] as const].slice(-MOST);
  localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(entries)));
}

/** What was noted of a shoe; null where nothing was. */
export function noted(table: string, number: number): string | null {
  return all()[`${table}/${number}`] ?? null;
}

function all(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}
