-- Trails of people and of the house, what people have and play, who is signed in, and who drives what.

alter table tables alter column game drop not null;   -- a trail that is no table's has none

create table wallets (
  person  text collate "C" primary key,
  trail   text collate "C" not null unique references tables (id),
  balance bigint not null check (balance >= 0)
);

create table plays (
  person   text collate "C" not null,
  at       bigint not null,
  table_id text collate "C" not null,
  sequence bigint not null,
  kind     text collate "C" not null,
  round    bigint not null,
  staked   bigint not null,
  net      bigint not null,
  primary key (person, at, table_id, sequence, kind) include (net)
);

create table rounds (                 -- where each stands in the trail: a register, not evidence
  table_id       text collate "C" not null,
  number         bigint not null,
  first_sequence bigint not null,
  last_sequence  bigint not null check (last_sequence >= first_sequence),
  started        bigint not null,
  ended          bigint not null,
  ending         bigint not null,
  primary key (table_id, number)
);

create table sessions (
  digest  text collate "C" primary key check (length(digest) = 64),
  person  text collate "C" not null,
  created bigint not null,
  seen    bigint not null,
  until   bigint not null,
  ended   bigint not null,
  csrf    text not null,
  address text not null,
  agent   text not null
);

create index sessions_by_person on sessions (person, created);
create index sessions_by_until on sessions (until);

create table leases (
  name   text collate "C" primary key,
  holder text not null,
  until  bigint not null
);

create table states (                 -- may be emptied at any time
  table_id text collate "C" not null references tables (id),
  form     text collate "C" not null,
  sequence bigint not null,
  state    bytea not null,
  primary key (table_id, form)
);

create trigger plays_stay before update or delete or truncate on plays execute function never_changed();
