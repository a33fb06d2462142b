// Which tables of the floor are shown, and in which order.

import { minor } from '../lib/money';
import type { FloorTable } from '../lib/contract';

export const SHOWN = ['all', 'open', 'attention', 'suspended', 'closed'] as const;
export const ORDERS = ['attention', 'name', 'win', 'hold', 'drop', 'patrons', 'pace'] as const;
export type Shown = (typeof SHOWN)[number];
export type OrderBy = (typeof ORDERS)[number];
export type Status = 'stopped' | 'waits' | 'suspended' | 'open' | 'closed';

/** What a table is, at a glance: the gravest thing that can be said of it. */
export function statusOf(table: FloorTable): Status {
  if (table.stopped) return 'stopped';
  if (!table.open) return 'closed';
  if (table.waits.length) return 'waits';
  return table.suspended ? 'suspended' : 'open';
}

export function needsAttention(table: FloorTable): boolean {
  return table.alerts > 0 || table.requests > 0 || ['stopped', 'waits'].includes(statusOf(table));
}

export function chosen(tables: FloorTable[], shown: Shown, game: string, text: string): FloorTable[] {
  const wanted = text.trim().toLowerCase();
  return tables.filter(
    (each) =>
      isShown(each, shown) &&
      (game === '' || each.game === game) &&
      (wanted === '' || [each.table, ...Object.values(each.name).filter((one) => one !== undefined)].some((one) => one.toLowerCase().includes(wanted))),
  );
}

function isShown(table: FloorTable, shown: Shown): boolean {
  if (shown === 'all') return true;
  if (shown === 'attention') return needsAttention(table);
  const status = statusOf(table);
  return shown === 'open' ? status !== 'closed' : status === shown;
}

const GRAVITY: Status[] = ['stopped', 'waits', 'suspended', 'open', 'closed'];

/** The largest first; by name where two are alike. */
export function ordered(tables: FloorTable[], by: OrderBy): FloorTable[] {
  const figure = FIGURES[by];
  return [...tables].sort((one, other) => figure(other) - figure(one) || one.table.localeCompare(other.table));
}

const FIGURES: Record<OrderBy, (table: FloorTable) => number> = {
  attention: (table) => table.alerts * 10 + (needsAttention(table) ? 100 : 0) - GRAVITY.indexOf(statusOf(table)),
  name: () => 0,
  win: (table) => (table.win === null ? -Infinity : Number(minor(table.win))),
  hold: (table) => table.hold ?? -Infinity,
  drop: (table) => Number(minor(table.drop)),
  patrons: (table) => table.patrons,
  pace: (table) => table.rounds_per_hour ?? -1,
};

/** The sum of some amounts, as a decimal string; they have the same number of places. */
export function sum(amounts: (string | null)[], places: number): bigint {
  return amounts.reduce((total, each) => total + (each === null ? 0n : minor(each, places)), 0n);
}
