// Patrons as a dealer speaks of them: by seat; whoever stands, by name.

import { t } from '../lib/messages.svelte';
import type { View } from '../lib/contract';

export function seatOf(view: View | null, person: string): string {
  const seat = Object.values(view?.seats ?? {}).find((each) => each.person === person)?.seat ?? null;
  return seat === null ? person : t('page.dealer.seat', { n: seat });
}
