-- Trails, the money they moved, and the secrets of shuffles not yet revealed.

create table games (
  digest   text primary key,
  text     text not null,
  readings text not null              -- JSON: reading, choice
) strict;

create table tables (
  id         text primary key,
  game       text not null references games (digest),
  created_at integer not null,
  sequence   integer not null,           -- of the last record
  head       text not null,           -- its digest
  last_at    integer not null
) strict;

create table table_games (            -- all rules that a table ever had
  table_id text not null references tables (id),
  digest   text not null references games (digest),
  primary key (table_id, digest)
) strict, without rowid;

create table records (
  table_id text not null,
  sequence integer not null check (sequence > 0),
  line     blob not null,
  primary key (table_id, sequence)
) strict, without rowid;

create table commands (
  table_id       text not null,
  command        text not null,
  first_sequence integer not null,
  last_sequence  integer not null check (last_sequence >= first_sequence),
  primary key (table_id, command)
) strict, without rowid;

create table postings (
  table_id text not null,
  sequence integer not null,
  place    integer not null,
  account  text not null,
  amount   integer not null,
  balance  integer not null,             -- after it
  primary key (table_id, sequence, place)
) strict, without rowid;

create index postings_by_account on postings (account, table_id, sequence, place);

create table balances (
  table_id text not null,
  account  text not null,
  balance  integer not null,
  may_owe  integer not null check (may_owe in (0, 1)),
  primary key (table_id, account),
  check (balance >= 0 or may_owe = 1)
) strict, without rowid;

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
  primary key (table_id, sequence, key, at),
  foreign key (table_id, sequence) references records (table_id, sequence)
) strict, without rowid;

-- What was written stays as it was written.
create trigger records_no_update before update on records begin select raise(abort, 'records are never changed'); end;
create trigger records_no_delete before delete on records begin select raise(abort, 'records are never changed'); end;
create trigger postings_no_update before update on postings begin select raise(abort, 'postings are never changed'); end;
create trigger postings_no_delete before delete on postings begin select raise(abort, 'postings are never changed'); end;
create trigger commands_no_update before update on commands begin select raise(abort, 'commands are never changed'); end;
create trigger commands_no_delete before delete on commands begin select raise(abort, 'commands are never changed'); end;
create trigger heads_no_update before update on heads begin select raise(abort, 'heads are never changed'); end;
create trigger heads_no_delete before delete on heads begin select raise(abort, 'heads are never changed'); end;
