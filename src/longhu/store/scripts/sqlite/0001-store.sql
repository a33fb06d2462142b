-- Trails, the money they moved, people, and the secrets of shuffles that are not revealed yet.

create table games (
  digest   text primary key,
  text     text not null,
  readings text not null              -- JSON: reading, choice
) strict;

create table tables (                 -- and other trails, of people and of the house
  id         text primary key,
  game       text references games (digest),   -- null where the trail is no table's
  created_at integer not null,
  sequence   integer not null,         -- of the last record
  head       text not null,           -- its digest
  last_at    integer not null
) strict;

create table table_games (            -- all rules that a table ever had
  table_id text not null references tables (id),
  digest   text not null references games (digest),
  primary key (table_id, digest)
) strict, without rowid;

create table appends (                -- what a command led to: its records, and what they moved
  number         integer primary key,   -- in the order of writing
  table_id       text not null,
  first_sequence integer not null check (first_sequence > 0),
  last_sequence  integer not null check (last_sequence >= first_sequence),
  command        text not null,
  fingerprint    text not null,         -- of what was asked: a key is for that alone
  lines          blob not null,      -- the records, as sql.py encodes them
  postings       text not null        -- JSON: for each record a list of [account, amount, balance after it]
) strict;

create unique index appends_by_sequence on appends (table_id, last_sequence);
create unique index appends_by_command on appends (command, table_id);  -- keys of one moment stand together

-- The index of text search, filled behind the appends: the words of each, which it does not keep.
create virtual table words using fts5 (text, content = '', columnsize = 0, detail = none, tokenize = ascii);
create table indexed (last integer not null) strict;   -- the number of the last append that is in it
insert into indexed values (0);

create table balances (
  table_id text not null,
  account  text not null,
  balance  integer not null,
  may_owe  integer not null check (may_owe in (0, 1)),
  primary key (table_id, account),
  check (balance >= 0 or may_owe = 1)
) strict, without rowid;

create index balances_by_account on balances (account, table_id);

create table sealed (
  table_id text not null references tables (id),
  shoe     integer not null,
  secret   blob not null check (length(secret) = 32),
  primary key (table_id, shoe)
) strict, without rowid;

create table heads (
  table_id  text not null,
  sequence  integer not null,
  digest    text not null,
  at        integer not null,
  key       text not null,
  signature text not null,
  primary key (table_id, sequence, key, at)
) strict, without rowid;

create table wallets (
  person  text primary key,
  trail   text not null unique references tables (id),
  balance integer not null check (balance >= 0)
) strict, without rowid;

create table plays (                  -- what a round meant for a person
  person   text not null,
  at       integer not null,
  table_id text not null,
  sequence integer not null,
  kind     text not null,
  round    integer not null,
  staked   integer not null,
  net      integer not null,
  primary key (person, at, table_id, sequence, kind)
) strict, without rowid;

create table rounds (                 -- where each stands in the trail: a register, not evidence
  table_id       text not null,
  number         integer not null,
  first_sequence integer not null,
  last_sequence  integer not null check (last_sequence >= first_sequence),
  started        integer not null,
  ended          integer not null,
  winner         text not null,
  primary key (table_id, number)
) strict, without rowid;

create table risks (                  -- at stake, of those who have a limit on losses; says nothing once the round is over
  person   text not null,
  table_id text not null,
  round    integer not null,
  staked   integer not null check (staked >= 0),
  primary key (person, table_id)
) strict, without rowid;

create table sessions (
  digest  text primary key check (length(digest) = 64),
  person  text not null,
  created integer not null,
  seen    integer not null,
  until   integer not null,
  ended   integer not null,
  csrf    text not null,
  address text not null,
  agent   text not null
) strict, without rowid;

create index sessions_by_person on sessions (person, created);
create index sessions_by_until on sessions (until);

create table leases (
  name   text primary key,
  holder text not null,
  until  integer not null
) strict, without rowid;

create table states (                 -- may be emptied at any time
  table_id text not null references tables (id),
  form     text not null,
  sequence integer not null,
  state    blob not null,
  primary key (table_id, form)
) strict;

-- What was written stays as it was written.
create trigger appends_no_update before update on appends begin select raise(abort, 'appends are never changed'); end;
create trigger appends_no_delete before delete on appends begin select raise(abort, 'appends are never changed'); end;
create trigger plays_no_update before update on plays begin select raise(abort, 'plays are never changed'); end;
create trigger plays_no_delete before delete on plays begin select raise(abort, 'plays are never changed'); end;
create trigger heads_no_update before update on heads begin select raise(abort, 'heads are never changed'); end;
create trigger heads_no_delete before delete on heads begin select raise(abort, 'heads are never changed'); end;
