// What stands on a table, between the form of the page and what the house is told.

import type { TableEquipment, TableSettings } from '../lib/contract';

export interface EquipmentDraft {
  setup: NonNullable<TableEquipment['setup']>;
  backs: string; // of the set, one colour for all its decks or one for each, with commas
  other: string; // of a second set
  shoe: number | null;
  cover: boolean;
  shuffler: number | null;
  discard_rack: number | null;
  cutting_cards: number | null;
  pucks: number | null;
  drop_box: string;
  display: boolean;
}

export const SETUPS = ['shoe', 'batch-shuffler', 'continuous-shuffler'] as const;

export function blankEquipment(): EquipmentDraft {
  return { setup: 'shoe', backs: '', other: '', shoe: null, cover: false, shuffler: null, discard_rack: null, cutting_cards: null, pucks: null, drop_box: '', display: false };
}

/** As it stood there when the table was open last, if somebody had told it. */
export function equipmentOf({ equipment: was }: TableSettings): EquipmentDraft {
  if (was.assumed) return blankEquipment();
  const backs = was.sets.map((each) => [...new Set(each.backs)].join(', '));
  return { ...blankEquipment(), ...was, setup: SETUPS.find((each) => each === was.setup) ?? 'shoe', backs: backs[0] ?? '', other: backs[1] ?? '' };
}

/** What the house is told; null where nobody has told anything. */
export function equipmentTold(draft: EquipmentDraft): TableEquipment | null {
  const sets = [draft.backs, ...(draft.setup === 'batch-shuffler' ? [draft.other] : [])].map((each) => each.split(',').map((back) => back.trim()).filter(Boolean)).filter((each) => each.length);
  if (!sets.length && !draft.shoe && !draft.shuffler && !draft.discard_rack && !draft.drop_box.trim()) return null;
  const { setup, cover, display } = draft;
  return {
    setup, sets, cover, display, shoe: draft.shoe ?? 0, shuffler: draft.shuffler ?? 0, discard_rack: draft.discard_rack ?? 0,
    cutting_cards: draft.cutting_cards ?? 0, pucks: draft.pucks ?? 0, drop_box: draft.drop_box.trim(),
  };
}
