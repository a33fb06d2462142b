import type { Operation } from './contract';

/** A JSON Patch (RFC 6902) applied to a document, which stays as it was. Our patches name members of objects, never of lists. */
export function patched<T>(document: T, patch: readonly Operation[]): T {
  const whole = { document: document as unknown };
  const fresh = new WeakSet<object>([whole]); // made here, so that they may be changed
  for (const operation of patch) {
    const path = ['document', ...operation.path.split('/').slice(1).map(unescaped)];
    const name = path.pop() ?? '';
    let target: Record<string, unknown> = whole;
    for (const each of path) target = own(target, each, fresh);
    if (operation.op === 'remove') delete target[name];
    else target[name] = operation.value;
  }
  return whole.document as T;
}

/** An object within another, copied where it was there before. */
function own(parent: Record<string, unknown>, name: string, fresh: WeakSet<object>): Record<string, unknown> {
  const known = parent[name] as Record<string, unknown>;
  if (fresh.has(known)) return known;
  const copy = { ...known };
  fresh.add(copy);
  parent[name] = copy;
  return copy;
}

function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
