-- Trails of people and of the house, what people have and play, who is signed in, and who drives what.

alter table tables alter column game drop not null;   -- a trail that is no table's has none

create table wallets (
  person  text primary key,
  trail   text not null unique references tables (id),
  balance integer not null check (balance >= 0)
) strict, without rowid;

create table plays (
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
  ending         integer not null,
  primary key (table_id, number)
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

create trigger plays_no_update before update on plays begin select raise(abort, 'plays are never changed'); end;
create trigger plays_no_delete before delete on plays begin select raise(abort, 'plays are never changed'); end;
