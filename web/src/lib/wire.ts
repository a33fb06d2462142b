// What the house says, as it stands on the wire. Amounts are decimal strings (lib/money.ts reckons with them).

import type { Names } from './language.svelte';

export type Position =
  | 'patron' | 'dealer' | 'pit-supervisor' | 'pit-manager' | 'gaming-shift-manager' | 'casino-operator' | 'auditor';

export type Role = 'spectator' | 'patron' | 'dealer' | 'pit' | 'auditor';

export type LobbyEntry = {
  table: string; game: string; name: Names; open: boolean; suspended: boolean; stopped: boolean;
  dealer: 'automatic' | 'human'; phase: string; round: number; seats: number; taken: number; patrons: number;
  minimum: string | null; maximum: string | null; countdown: number | null; play_money: boolean;
};

// ------------------------------------------------ a table, as one viewer sees it

export type Limit = { min: string; max: string; increment: string };
export type Notice = {
  table: string; game: string; limits: Record<string, Limit>; area: string | null; high_limit: boolean;
  differential: string | null; layout: string; positions: number; decks: number; method: string | null;
  electronic_shoe: boolean; dealer: 'automatic' | 'human'; general_rules: string[];
};
/** `person` is a number of the visit (`#7`) to patrons and whoever looks on, and a name to staff; `name` was chosen to be shown. */
export type SeatView = { person: string; seat: number | null; nominee: string; name: string };
export type Stake = { patron: string; place: number; wager: string; amount: string; placed_by: string; confirmed: boolean };
export type CardView = {
  hand: string; face: string | null; public: boolean; holder: string; bent: number; substitute: boolean;
};
export type ResultView = { ending: number; winner: string | null; pairs: [boolean, boolean] };
export type Offer = { why: string; until: number; whole: boolean; then: string; clause: string; waits_for: string[] };
/** The hands lie too far apart: which leads, by how much, and what the notice allows. */
export type DifferentialView = { stage: 'asked' | 'raise' | 'remove' | 'scale'; heavier: string; gap: string; allowed: string; clause: string };
/** A wager that came back from a tie, and what of it lies for the next round. */
export type ReturnedView = { patron: string; place: number; wager: string; amount: string; kept: string };
export type RoundView = {
  number: number; phase: string; method: string; wagering: boolean; stakes: Record<string, Stake>; cards: CardView[];
  holders: [string, string]; holds: string[]; totals: [number, number] | null; winner: string | null; waits: string[];
  incident: string | null; offer: Offer | null; differential: DifferentialView | null; reveal_until: number | null; aside: number; sort_record: Record<string, number>;
};
export type Contribution = { person: string; value: string };
export type Shuffle = {
  number: number; commitment: string; contributions: Contribution[]; cut_by: string; cut_behind: number;
  mix: { table: string; number: number; counts: number[]; contributions: Contribution[]; cut_by: string; cut_at: number } | null;
  secret: string;
};
export type TableView = {
  viewer: string; role: Role; game: string; open: boolean; stopped: string; suspended: string; dealer: string;
  phase: string; round_number: number; notice: Notice | null; seats: Record<string, SeatView>; round: RoundView | null; returned: ReturnedView[];
  display: { results: ResultView[]; says: string; clause: string } | null; cards_left: number | null;
  shuffle: Shuffle | null; cutting_card_out: boolean; balance: string | null; balances: Record<string, string> | null;
  exposed: Record<string, number> | null;
};

// ------------------------------------------------ the socket

export type Operation = { op: 'add' | 'replace'; path: string; value: unknown } | { op: 'remove'; path: string };
export type Told = Record<string, unknown>;
export type TableEvent = {
  type: 'event'; sequence: number; at: number; name: string; by: string; clause: string; told: Told;
  patch?: Operation[]; countdown?: number | null;
};
export type Account = {
  type: 'account'; at: number; balance: string | null; session_since: number; session_net: string; check_due: boolean;
  next_check: number | null;
};
export type FromHouse =
  | { type: 'snapshot'; table: string; sequence: number; at: number; countdown: number | null; play_money: boolean; view: TableView }
  | TableEvent
  | { type: 'done'; id: string; first: number; last: number; duplicate?: boolean }
  | { type: 'refused'; id: string; reason: string; remedy: string; clause: string }
  | { type: 'problem'; id?: string; about: string; title: string; status: number; detail: string; remedy?: string; clause?: string }
  | Account
  | { type: 'pong'; at: number; id?: string };

/** A command, ready to be sent: its name and its fields. */
export type Command = { command: string } & Record<string, unknown>;
export type Signature = { person: string; password: string };
/** What waits for somebody in a higher position, and what they could ask. */
export type Called = { position: string; ready: Command[]; told: string[] };
export type Acts = { sequence: number; ready: Command[]; told: string[]; due: { hand: string; why: string } | null; above: Called[] };

/** What a command asks of whoever gives it; a form is made from this. */
export type Question = { name: string; kind: string; required?: boolean; choices?: string[]; usual?: boolean | number };
export type Inquiry = { says: string; needs: string; asks: Question[] };
export type Inquiries = { commands: Record<string, Inquiry>; reports: Record<string, Command[]> };
export type Outlook = { follows: { name: string; clause: string }[]; reason: string; remedy: string; clause: string };
export type Payment = {
  patron: string; seat: number | null; place: number; wager: string; amount: string; line: string; result: 'win' | 'lose' | 'push' | 'half';
  pays: string; net: string; commission: string; returned: string; clause: string;
};
export type Reckoning = { round: number; payments: Payment[]; capped: { patron: string; cut: string; clause: string }[] };

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
export type Method = { name: Names; cards: 'face-up' | 'face-down'; squeeze: string; chosen_by: string | null; clauses: string[] };
export type Irregularity = {
  name: Names; remedy: string; decides: string | null; days: number | null; clauses: { id: string; requirement: string }[];
};
export type Rules = {
  id: string; name: Names; version: string; effective: string | null; authority: string | null; document: string;
  digest: string; decks: { min: number; max: number; default: number }; shuffle: string; procedure: string;
  hands: [Hand, Hand]; wagers: Record<string, Wager>; layouts: Record<string, Layout>; readings: Record<string, Reading>;
  methods: Record<string, Method>; irregularities: Record<string, Irregularity>;
  cites: Record<string, string[]>; // steps of a round, with the clauses behind them
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
  must_change_password: boolean; // somebody else has chosen it: nothing else can be done before
};
export type Me = {
  person: string; name: string; display_name: string; position: Position; play_money: boolean; currency: string; at: number;
  balance: string | null; chips: string; staked: string; tables: { table: string; chips: string; staked: string }[];
  session_since: number; session_net: string; elapsed: string; may_play: boolean; why_not: string; check_due: boolean;
  next_check: number | null; cool_off_until: number | null; excluded_until: number | null; has_password: boolean;
};

// ------------------------------------------------ the house from outside, roads, chances, shuffles, history

export type Welcome = { play_money: boolean; guests: boolean; spectators: boolean; currency: string };
export type RoadPlace = { column: number; row: number };
export type Bead = RoadPlace & { winner: string; pairs: [boolean, boolean] };
export type BigRoadCell = RoadPlace & { winner: string; ties: number };
export type DerivedCell = RoadPlace & { colour: 'red' | 'blue' };
export type DerivedName = 'big-eye-boy' | 'small-road' | 'cockroach-pig';
export type RoadAsk = { big_road: BigRoadCell; derived: Record<DerivedName, DerivedCell | null> };
export type HandSign = Hand & { sign: string };
export type Roads = {
  table: string; game: string; shoe: number; rounds: number; rows: number; shown: boolean; says: string; clause: string;
  hands: [HandSign, HandSign]; bead_plate: Bead[]; big_road: BigRoadCell[]; ties_waiting: number;
  derived: Record<DerivedName, DerivedCell[]>; asks: Record<string, RoadAsk>; counts: Record<string, number>;
  pairs: Record<string, number>;
};
export type HandChance = { probability: string; chance: number };
export type WagerChance = { win: number; ev: number; decided: 'open' | 'won' | 'lost' | 'pushed' };
export type Chances = {
  sequence: number; round: number; cards_open: number; basis: string; totals: Record<string, number | null>;
  hands: Record<string, HandChance>; wagers: Record<string, WagerChance>; says: string[];
};
export type Mix = NonNullable<Shuffle['mix']>;
export type RevealedShuffle = {
  table: string; number: number; commitment: string; committed_at: number; revealed_at: number; secret: string; mix: Mix;
  burned: number; dealt: string[];
};
export type RoundEntry = { number: number; started: number; ended: number; void: boolean; winner: string | null };
export type Rounds = { table: string; rounds: RoundEntry[]; before: number | null };
export type RecalledCard = { hand: string; face: string | null; shown: boolean };
export type Recalled = {
  table: string; number: number; game: string; digest: string; started: number; ended: number; void: boolean;
  winner: string | null; totals: number[] | null; shoe: number; cards: RecalledCard[];
  staked: Record<string, string>; viewer: string; events: TableEvent[];
};
export type Play = { at: number; table: string; round: number; kind: string; staked: string; net: string };
export type Plays = { rounds: Play[]; before: number | null };
export type LimitKind = 'deposit' | 'loss' | 'time';
export type LimitSpan = 'day' | 'week' | 'month';
export type LimitView = {
  kind: LimitKind; span: LimitSpan; most: string | null; own: string | null; house: string | null; asked: string | null;
  earliest: number | null; latest: number | null;
};
export type Limits = { limits: LimitView[]; review_due: boolean; raised_after_hours: number };
export type OpenSession = { since: number; seen: number; until: number; address: string; agent: string; this: boolean };

// ------------------------------------------------ the pit

export type FloorTable = {
  table: string; game: string; name: Names; version: string; open: boolean; suspended: string; stopped: string; dealer: string;
  automatic: boolean; round: number; phase: string; waits: string[]; seats: number; patrons: number; minimum: string | null;
  maximum: string | null; differential: string | null; layout: string; decks: number; method: string; staked: string; tray: string;
  drop: string; win: string | null; hold: number | null; rounds_per_hour: number | null; requests: number; alerts: number;
  cards_left: number | null; driven_by: string;
};
export type Alert = { number: number; kind: string; at: number; says: string; table: string; person: string; needs: string };
export type GameEntry = { id: string; name: Names; version: string; digest: string; decks: number; approved: boolean };
export type Order = {
  number: number; by: string; at: number; command: Command; state: 'waiting' | 'done' | 'refused' | 'taken-back'; says: string;
  clause: string;
};
export type PatronAtTable = {
  person: string; name: string; seat: number | null; chips: string; staked: string; nominee: string; most: string | null;
  robot: boolean; signed_in: boolean; last_play: number | null;
};
export type NomineeView = {
  patron: string; person: string; may_wager: boolean; may_handle: boolean; approved_by: string; announced: boolean; ends: boolean;
};
export type ChipRequest = { number: number; kind: 'fill' | 'credit'; amount: string; stage: string; requested_by: string; chips: Record<string, number> };
export type TrayView = {
  held: string; opening: string; fills: string; credits: string; drop: string; win: string; requests: ChipRequest[];
};
export type TableSettings = {
  layout: string; positions: number; limits: Record<string, Limit>; decks: number; method: string; differential: string | null;
  area: string; electronic_shoe: boolean; automatic_dealer: boolean; chip_unit: string; withdrawal_seconds: number; reveal_seconds: number;
};
export type Sheet = {
  table: string; game: string; at: number; open: boolean; decimals: number; last_closing: string | null;
  settings: TableSettings | null; tray: TrayView | null; staff: { person: string; position: string; acting: string | null }[];
  patrons: PatronAtTable[]; nominees: NomineeView[]; caps: Record<string, number>; granted: Record<string, string>; orders: Order[];
};
export type TheoryPoint = { round: number; at: number; win: string; expected: string; deviation: string };
export type Theory = {
  table: string; opened: number; rounds: number; staked: string; win: string; expected: string; deviation: string;
  points: TheoryPoint[]; read: number; of: number;
};
export type PersonView = {
  person: string; name: string; position: string; play_money: boolean; created: number; closed: boolean; locked: boolean;
  signed_in: number | null; sessions: number; balance: string | null; cooling_off: boolean; excluded: boolean; barred: boolean;
  may: string[];
};

// ------------------------------------------------ the auditor

export type Happening = { event: string; by: string; at: number; position: number; clause: string } & Record<string, unknown>;
export type FoundRecord = { trail: string; sequence: number; at: number; digest: string; decimals: number; event: Happening };
export type SearchAnswer = { records: FoundRecord[]; looked_at: number; on: string; before: number };
export type MovedAccount = { account: string; amount: string; balance: string; before: number | null; after: number | null };
export type WholeRecord = {
  trail: string; sequence: number; last: number; decimals: number; line: string; whole: boolean; digest: string; previous: string; follows: boolean;
  followed: boolean | null; says: string[]; moved: MovedAccount[];
};
export type Movement = {
  trail: string; sequence: number; amount: string; balance: string; at: number; kind: string; by: string;
  others: Record<string, string>;
};
export type Movements = { account: string; movements: Movement[]; more: boolean };
export type Verification = {
  records: number; commands: number; refusals: number; rounds: number; voided: number; wagers: number; cards: number;
  postings: number; commitments: number; contributions: number; shuffles: number; shuffled_cards: number; heads: number;
  states: number; not_checked: string[]; remarks: string[]; head: string; games: string[];
};
export type Resettlement = {
  rounds: number; void: number; reversed: number; cards: number; wagers: number; staked: number; paid: number; differing: number;
  differences: { round: number; sequence: number; about: string; recorded: string; found: string }[];
};
export type CheckProgress = {
  kind: 'verify' | 'resettle'; table: string; day: string; state: 'waiting' | 'running' | 'done'; began: number; at: number;
  done: number; of: number; right: boolean | null; wrong: string; verified: Verification | null; resettled: Resettlement | null;
  staked: string; paid: string;
};
