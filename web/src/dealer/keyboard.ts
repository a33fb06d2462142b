// Keys that belong to the console, and those that belong to whatever has the focus.

/** Whether a key is meant for a field, a button or a dialog rather than for the console as a whole. */
export function isElsewhere(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return true;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, select, textarea, [contenteditable]')) return true;
  const presses = event.key === 'Enter' || event.key === ' ';
  return presses && target?.closest('button, a, summary, [role="button"]') !== null && target !== null;
}
