// What was changed, in an address that can be sent to somebody: packed, and read back as strictly as if a stranger had written it.

import type { Change } from './changes';

export type Kept = { text: string; changes: Change[]; decks: number | null };

const MARK = '#changes=';
const LENGTH_MAX = 60_000;

export async function packed(kept: Kept): Promise<string> {
  const octets = new TextEncoder().encode(JSON.stringify(kept));
  return MARK + base64(await through(octets, new CompressionStream('deflate-raw')));
}

/** What an address holds; null where it holds nothing, or nothing that we wrote. */
export async function unpacked(hash: string): Promise<Kept | null> {
  if (!hash.startsWith(MARK) || hash.length > LENGTH_MAX) return null;
  try {
    const octets = await through(unbase64(hash.slice(MARK.length)), new DecompressionStream('deflate-raw'));
    return checked(JSON.parse(new TextDecoder().decode(octets)));
  } catch {
    return null;
  }
}

/** What was kept, where it has the right form; the house looks at what is in it. */
export function checked(told: unknown): Kept | null {
  const { text, changes, decks } = (told ?? {}) as Partial<Kept>;
  if (typeof text !== 'string' || !Array.isArray(changes) || (decks !== null && !Number.isInteger(decks))) return null;
  const sound = changes.every((each) => typeof each === 'object' && each && typeof each.do === 'string' && Array.isArray(each.at));
  return sound ? { text, changes, decks: decks ?? null } : null;
}

async function through(octets: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([octets]).stream().pipeThrough(stream)).arrayBuffer());
}

function base64(octets: Uint8Array): string {
  const text = Array.from(octets, (each) => String.fromCharCode(each)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function unbase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
}
