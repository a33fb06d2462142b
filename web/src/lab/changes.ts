// Changes to a game file, as the house takes them (POST /api/lab/…): made here to what the page shows, and there to the file.

import type { Names } from '../lib/language.svelte';

export type Part = string | number;
export type Path = Part[];
export type Value = string | number | boolean | number[] | { [key: string]: string | number[] };
export type Change =
  | { do: 'set'; at: Path; to: Value }
  | { do: 'remove'; at: Path }
  | { do: 'insert'; at: Path; to: Value }
  | { do: 'move'; at: Path; to: number }
  | { do: 'read'; at: [string]; to: string };
export type Data = { [key: string]: unknown };

/** The data after the changes; what was given stays as it was. A change that finds no place is left to the house to refuse. */
export function changed(data: Data, changes: readonly Change[]): Data {
  const copy = structuredClone(data);
  for (const change of changes) make(copy, change);
  return copy;
}

function make(data: Data, change: Change): void {
  if (change.do === 'read') return read(data, change.at[0], change.to);
  const holder = valueAt(data, change.at.slice(0, -1));
  const last = change.at.at(-1)!;
  if (typeof holder !== 'object' || holder === null) return;
  if (change.do === 'set') (holder as Record<Part, unknown>)[last] = structuredClone(change.to);
  else if (change.do === 'remove' && Array.isArray(holder)) holder.splice(Number(last), 1);
  else if (change.do === 'remove') delete (holder as Record<Part, unknown>)[last];
  else if (!Array.isArray(holder)) return;
  else if (change.do === 'insert') holder.splice(Number(last), 0, structuredClone(change.to));
  else holder.splice(change.to, 0, ...holder.splice(Number(last), 1));
}

type Move = { at: string; from: unknown; to: unknown };
type Option = string | { says: string; change?: Move[] };

/** Another option of a doubtful clause becomes what the file says, and the others say what they would change of that. */
function read(data: Data, id: string, chosen: string): void {
  const reading = (data.reading as Data[] | undefined)?.find((each) => each.id === id);
  const options = reading?.options as Record<string, Option> | undefined;
  if (!reading || !options || !(chosen in options) || reading.taken === chosen) return;
  const wants = (option: Option | undefined) => new Map((typeof option === 'object' ? (option.change ?? []) : []).map((each) => [each.at, each.to]));
  const wanted = wants(options[chosen]);
  const before = new Map([...wanted.keys()].map((at) => [at, valueAt(data, resolved(data, at))]));
  for (const [at, to] of wanted) {
    const path = resolved(data, at);
    (valueAt(data, path.slice(0, -1)) as Record<Part, unknown>)[path.at(-1)!] = structuredClone(to);
  }
  reading.taken = chosen;
  for (const [name, option] of Object.entries(options)) {
    const others = name === chosen ? new Map<string, unknown>() : new Map([...before, ...wants(option)]);
    const moves = [...others]
      .map(([at, to]) => ({ at, from: valueAt(data, resolved(data, at)), to }))
      .filter((move) => !same(move.from, move.to));
    const says = typeof option === 'string' ? option : option.says;
    options[name] = moves.length ? { says, change: moves } : says;
  }
}

/** A path as readings write it: a part names a key, an element's id, or an element's place. */
function resolved(data: unknown, at: string): Path {
  const path: Path = [];
  for (const part of at.split('.')) {
    const here = valueAt(data, path);
    const place = Array.isArray(here) ? here.findIndex((each: Data) => each?.id === part) : -1;
    path.push(!Array.isArray(here) ? part : place >= 0 ? place : Number(part));
  }
  return path;
}

export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((found, part) => (found as Record<Part, unknown> | null | undefined)?.[part], data);
}

/** A text of the file in all its languages: by its English, from the tables of translations at the end of the file. */
export function worded(data: Data | null, text: unknown): Names {
  const inline = (typeof text === 'object' && text !== null ? text : { en: String(text ?? '') }) as { en: string; zh?: string };
  const tables = Object.entries((data?.translations ?? {}) as Record<string, Record<string, string>>);
  const found = tables.flatMap(([tag, table]) => (table[inline.en] ? [[tag, table[inline.en]]] : []));
  return { ...(inline.zh ? { 'zh-Hans': inline.zh } : {}), ...Object.fromEntries(found), en: inline.en };
}

/** One more change; typing on in the same field is one change, not many. */
export function withChange(changes: readonly Change[], next: Change): Change[] {
  const last = changes.at(-1);
  const again = last?.do === 'set' && next.do === 'set' && samePath(last.at, next.at);
  return [...(again ? changes.slice(0, -1) : changes), next];
}

export function samePath(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((part, place) => part === other[place]);
}

export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => same((one as Data)[key], (other as Data)[key]))
  );
}

/** The rows of a draw table ("on these totals, draws that"), with one total set to draw something else. Rows that say the same stay together. */
export type DrawRow = { on: number[]; draws: string | number[]; clause?: unknown };
export function drawsOn(rows: readonly DrawRow[], at: Path, total: number, draws: string | number[]): Change[] {
  const place = rows.findIndex((row) => row.on.includes(total));
  const row = rows[place];
  if (!row || same(row.draws, draws)) return [];
  if (row.on.length === 1) return [{ do: 'set', at: [...at, place, 'draws'], to: draws }];
  return [
    { do: 'set', at: [...at, place, 'on'], to: row.on.filter((each) => each !== total) },
    { do: 'insert', at: [...at, place + 1], to: { on: [total], draws } },
  ];
}

/** Where a value stood before the changes; null where it was put in by one of them. */
export function origin(path: Path, changes: readonly Change[]): Path | null {
  const found = [...path];
  for (const change of changes.toReversed()) {
    if (change.do === 'set' || change.do === 'read') continue;
    const depth = change.at.length - 1;
    const [changedAt, now] = [change.at[depth], found[depth]];
    if (typeof changedAt !== 'number' || typeof now !== 'number') continue;
    if (!samePath(change.at.slice(0, depth), found.slice(0, depth))) continue;
    if (change.do === 'insert' && now === changedAt) return null;
    if (change.do === 'insert') found[depth] = now - Number(now > changedAt);
    else if (change.do === 'remove') found[depth] = now + Number(now >= changedAt);
    else found[depth] = now === change.to ? changedAt : between(now, change.to, changedAt);
  }
  return found;
}

/** The place of an element before another one was moved from `from` to `to`. */
function between(now: number, to: number, from: number): number {
  const without = now - Number(now > to);
  return without + Number(without >= from);
}
