// Patrons as a dealer speaks of them: by seat; whoever stands, by name; chips of no account, by position.

import { t } from '../lib/messages.svelte';
import { spotName, spotOf } from '../lib/spots';
import type { View } from '../lib/contract';

export function seatOf(view: View | null, person: string): string {
  const spot = spotOf(person);
  if (spot) return spotName(spot);
  const seat = Object.values(view?.seats ?? {}).find((each) => each.person === person)?.seat ?? null;
  return seat === null ? person : t('page.dealer.seat', { n: seat });
}
