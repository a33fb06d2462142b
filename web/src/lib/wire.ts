// What the house says, as it stands on the wire. Amounts are decimal strings (lib/money.ts reckons with them).

import type { Names } from './language.svelte';

export type Position =
  | 'patron' | 'dealer' | 'pit supervisor' | 'pit manager' | 'gaming shift manager' | 'casino operator' | 'auditor';

export type Role = 'spectator' | 'patron' | 'dealer' | 'pit' | 'auditor';

export type LobbyEntry = {
  table: string; game: string; name: Names; open: boolean; suspended: boolean; stopped: boolean;
  dealer: 'automatic' | 'human'; phase: string; round: number; seats: number; taken: number; patrons: number;
  minimum: string | null; maximum: string | null; countdown: number | null;
};

// ------------------------------------------------ a table, as one viewer sees it

export type Limit = { min: string; max: string; increment: string };
export type Notice = {
  table: string; game: string; limits: Record<string, Limit>; area: string | null; high_limit: boolean;
  differential: string | null; layout: string; positions: number; decks: number; method: string | null;
  electronic_shoe: boolean; dealer: 'automatic' | 'human'; general_rules: string[];
};
export type SeatView = { person: string; seat: number | null; nominee: string };
export type Stake = { patron: string; place: number; wager: string; amount: string; placed_by: string; confirmed: boolean };
export type CardView = {
  hand: string; face: string | null; public: boolean; holder: string; bent: number; substitute: boolean;
};
export type ResultView = { ending: number; winner: string | null; pairs: [boolean, boolean] };
export type Offer = { why: string; until: number; whole: boolean; then: string; clause: string; waits_for: string[] };
export type RoundView = {
  number: number; phase: string; method: string; wagering: boolean; stakes: Record<string, Stake>; cards: CardView[];
  holders: [string, string]; holds: string[]; totals: [number, number] | null; winner: string | null; waits: string[];
  incident: string | null; offer: Offer | null; sort_record: Record<string, number>;
};
export type Contribution = { person: string; value: string };
export type Shuffle = {
  number: number; commitment: string; contributions: Contribution[]; cut_by: string; cut_behind: number;
  mix: { table: string; number: number; counts: number[]; contributions: Contribution[]; cut_by: string; cut_at: number } | null;
  secret: string;
};
export type TableView = {
  viewer: string; role: Role; game: string; open: boolean; stopped: string; suspended: string; dealer: string;
  phase: string; round_number: number; notice: Notice; seats: Record<string, SeatView>; round: RoundView | null;
  display: { results: ResultView[]; says: string; clause: string } | null; cards_left: number | null;
  shuffle: Shuffle | null; cutting_card_out: boolean; balance: string | null; balances: Record<string, string> | null;
  exposed: Record<string, number> | null;
};

// ------------------------------------------------ the socket

export type Told = Record<string, unknown>;
export type TableEvent = {
  type: 'event'; sequence: number; at: number; name: string; by: string; clause: string; told: Told;
  set?: object; countdown?: number | null;
};
export type Account = {
  type: 'account'; at: number; balance: string | null; session_since: number; session_net: string; check_due: boolean;
  next_check: number | null;
};
export type FromHouse =
  | { type: 'snapshot'; table: string; sequence: number; at: number; countdown: number | null; view: TableView }
  | TableEvent
  | { type: 'done'; id: string; first: number; last: number; duplicate?: boolean }
  | { type: 'refused'; id: string; reason: string; remedy: string; clause: string }
  | { type: 'problem'; id?: string; about: string; title: string; status: number; detail: string; remedy?: string; clause?: string }
  | Account
  | { type: 'pong'; at: number; id?: string };

/** A command, ready to be sent: its name and its fields. */
export type Command = { command: string } & Record<string, unknown>;
export type Signature = { person: string; password: string };
export type Acts = { sequence: number; ready: Command[]; told: string[] };

// ------------------------------------------------ a game

export type Line = {
  says: Names; when: string; result: 'win' | 'lose' | 'push' | 'half'; pays: string | null; commission: string | null;
  clauses: string[];
};
export type Wager = {
  name: Names; label?: Names; hand: string | null; requires: string[]; excludes: string[]; layouts: string[];
  optional: boolean; min: string | null; max: string | null; clauses: string[]; lines: Line[];
};
export type Hand = { id: string } & Names;
/** Rows from the dealer's side to the patrons'. An area is a wager's id, or "odds": a panel that prints them. */
export type LayoutRow = { areas: string[]; each_position?: boolean; notices?: string[] };
export type Layout = {
  name: Names; title?: boolean; positions: { min: number; max: number } | null; places: string[]; wagers: string[];
  rows: LayoutRow[]; clauses: string[];
};
export type Reading = {
  question: string; asks: string; takes: string; because: string; clauses: string[]; chosen: string | null;
  options: Record<string, string>; at_table: boolean;
};
export type Rules = {
  id: string; name: Names; version: string; effective: string | null; authority: string | null; document: string;
  digest: string; decks: { min: number; max: number; default: number }; shuffle: string; procedure: string;
  hands: [Hand, Hand]; wagers: Record<string, Wager>; layouts: Record<string, Layout>; readings: Record<string, Reading>;
  cap: unknown; claims: unknown[];
};
export type WagerOdds = {
  name: string; ev: string; house_edge: number; rtp: number; hit_frequency: number; variance: number;
  standard_deviation: number; element_of_risk: number | null; favours_patron: boolean;
  lines: { says: string; result: string; pays: string | null; net: string; clause: string; ways: number; probability: string }[];
};
export type GamePage = {
  id: string; digest: string; rules: Rules;
  odds: { game: string; version: string; digest: string; decks: number; cards: number; deals: number; void: string; wagers: Record<string, WagerOdds> };
};

// ------------------------------------------------ people

export type Signed = {
  person: string; name: string; position: Position; play_money: boolean; csrf: string; since: number; until: number;
  last_sign_in: number | null; last_address: string; failures_since: number;
};
export type Me = {
  person: string; name: string; position: Position; play_money: boolean; currency: string; at: number;
  balance: string | null; chips: string; staked: string; tables: { table: string; chips: string; staked: string }[];
  session_since: number; session_net: string; elapsed: string; may_play: boolean; why_not: string; check_due: boolean;
  next_check: number | null; cool_off_until: number | null; excluded_until: number | null;
};
