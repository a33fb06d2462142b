// Keys at the table: digits are chips, letters are areas, and a few do what the buttons of the tray do.

const KEPT = 'longhu.keys';

export type KeyAct =
  | { act: 'chip'; index: number }
  | { act: 'area'; letter: string }
  | { act: 'undo' | 'rebet' | 'double' | 'clear' | 'help' };

const NAMED: Record<string, KeyAct> = {
  z: { act: 'undo' }, r: { act: 'rebet' }, d: { act: 'double' }, c: { act: 'clear' }, '?': { act: 'help' },
};

/** What a key means here; null where it means nothing, or is meant for something else. */
export function keyAct(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'> & { target: EventTarget | null }): KeyAct | null {
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return null;
  const key = event.key.toLowerCase();
  if (/^[1-9]$/.test(key)) return { act: 'chip', index: Number(key) - 1 };
  if (NAMED[key]) return NAMED[key];
  return /^[a-z]$/.test(key) ? { act: 'area', letter: key } : null;
}

function isWriting(target: EventTarget | null): boolean {
  return target !== null && 'closest' in target && (target as Element).closest('input, select, textarea, dialog, [contenteditable]') !== null;
}

/** Whether single keys act; whoever speaks to their computer may switch them off. */
export function keysOn(): boolean {
  return localStorage.getItem(KEPT) !== 'off';
}

export function keepKeys(on: boolean): void {
  localStorage.setItem(KEPT, on ? 'on' : 'off');
}
