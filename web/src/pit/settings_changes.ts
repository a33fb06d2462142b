// What somebody has altered in the settings of a table: those parts alone are asked for.

import { decimal, minor, placesOf } from '../lib/money';
import type { Limit, TableSettings } from '../lib/contract';

export type Draft = { limits: Record<string, Limit>; differential: string; method: string; decks: number; unit: string; rounding: string; chips: string };

export function draftOf(settings: TableSettings): Draft {
  const limits = Object.fromEntries(Object.entries(settings.limits).map(([id, each]) => [id, { ...each }]));
  return { limits, differential: settings.differential ?? '', method: settings.method, decks: settings.decks, unit: settings.chip_unit, rounding: settings.rounding, chips: settings.chip_values.join(' ') };
}

/** Limits go as a whole, since they are one setting; amounts that are written otherwise are the same. */
export function changesOf(settings: TableSettings, draft: Draft): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  if (Object.entries(draft.limits).some(([id, limit]) => !sameLimit(settings.limits[id], limit))) changes['limits'] = plainLimits(draft.limits);
  const differential = draft.differential.trim() || null;
  if (!same(settings.differential, differential)) changes['differential'] = differential;
  if (draft.method !== settings.method) changes['method'] = draft.method;
  if (draft.decks !== settings.decks) changes['decks'] = draft.decks;
  if (!same(settings.chip_unit, draft.unit.trim())) changes['chip_unit'] = draft.unit.trim();
  if (draft.rounding !== settings.rounding) changes['rounding'] = draft.rounding;
  const chips = draft.chips.split(/\s+/).filter(Boolean);
  if (chips.length !== settings.chip_values.length || chips.some((each, place) => !same(each, settings.chip_values[place] ?? null))) changes['chip_values'] = chips;
  return changes;
}

function sameLimit(before: Limit | undefined, after: Limit): boolean {
  return before !== undefined && same(before.min, after.min) && same(before.max, after.max) && same(before.increment, after.increment);
}

function same(before: string | null, after: string | null): boolean {
  return before === after || (before !== null && after !== null && canonical(before) === canonical(after));
}

/** 5, 5.0 and 5.00 are one amount; what is no amount stays as it is, for the house to refuse. */
function canonical(amount: string): string {
  try {
    const places = Math.max(placesOf(amount.trim()), 4);
    return decimal(minor(amount, places), places);
  } catch {
    return amount;
  }
}

function plainLimits(limits: Record<string, Limit>): Record<string, Limit> {
  return Object.fromEntries(Object.entries(limits).map(([id, { min, max, increment }]) => [id, { min: min.trim(), max: max.trim(), increment: increment.trim() }]));
}
