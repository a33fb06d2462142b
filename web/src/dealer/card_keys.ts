// A card as it is typed or scanned: a rank, then a suit. "0" and "10" are tens as well as "T"; a scanner ends with Enter.

export const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'] as const;
export const SUITS = ['S', 'H', 'D', 'C'] as const;

/** What has been typed so far: a rank that waits for its suit, or a whole card. */
export type Typed = { rank: string; card: string };
export const NOTHING: Typed = { rank: '', card: '' };

/** The typing after one more key; null where the key says nothing about a card. */
export function typed(before: Typed, key: string): Typed | null {
  const letter = key.toUpperCase();
  if (key === 'Backspace') return before.card ? { rank: before.card.charAt(0), card: '' } : NOTHING;
  if (key === 'Escape') return NOTHING;
  if (letter === '0') return { rank: 'T', card: '' };
  if (letter === '1') return { rank: '1', card: '' }; // of a ten that is written 10, or an ace
  const rank = before.rank === '1' ? 'A' : before.rank;
  if (rank && (SUITS as readonly string[]).includes(letter)) return { rank: '', card: rank + letter };
  if ((RANKS as readonly string[]).includes(letter)) return { rank: letter, card: '' };
  return null;
}

/** What stands for what has been typed. */
export function shownTyping({ rank, card }: Typed): string {
  return card || rank;
}
