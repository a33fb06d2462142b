-- Trails, the money they moved, and the secrets of shuffles not yet revealed.

create table games (
  digest   text collate "C" primary key,
  text     text not null,
  readings text not null              -- JSON: reading, choice
);

create table tables (
  id         text collate "C" primary key,
  game       text collate "C" not null references games (digest),
  created_at bigint not null,
  sequence   bigint not null,           -- of the last record
  head       text not null,           -- its digest
  last_at    bigint not null
);

create table table_games (            -- all rules that a table ever had
  table_id text collate "C" not null references tables (id),
  digest   text collate "C" not null references games (digest),
  primary key (table_id, digest)
);

create table records (
  table_id text collate "C" not null,
  sequence bigint not null check (sequence > 0),
  line     bytea not null,
  primary key (table_id, sequence)
);

create table commands (
  table_id       text collate "C" not null,
  command        text collate "C" not null,
  first_sequence bigint not null,
  last_sequence  bigint not null check (last_sequence >= first_sequence),
  primary key (table_id, command)
);

create table postings (
  table_id text collate "C" not null,
  sequence bigint not null,
  place    bigint not null,
  account  text collate "C" not null,
  amount   bigint not null,
  balance  bigint not null,             -- after it
  primary key (table_id, sequence, place)
);

create index postings_by_account on postings (account, table_id, sequence, place);

create table balances (
  table_id text collate "C" not null,
  account  text collate "C" not null,
  balance  bigint not null,
  may_owe  boolean not null,
  primary key (table_id, account),
  check (balance >= 0 or may_owe)
);

create table sealed (
  table_id text collate "C" not null references tables (id),
  shoe     bigint not null,
  secret   bytea not null check (length(secret) = 32),
  primary key (table_id, shoe)
);

create table heads (
  table_id  text collate "C" not null,
  sequence  bigint not null,
  digest    text not null,
  at        bigint not null,
  key       text collate "C" not null,
  signature text not null,
  primary key (table_id, sequence, key, at),
  foreign key (table_id, sequence) references records (table_id, sequence)
);

-- What was written stays as it was written.
create function never_changed() returns trigger language plpgsql as $$
begin
  raise exception '% are never changed', tg_table_name;
end $$;
create trigger records_stay before update or delete or truncate on records execute function never_changed();
create trigger postings_stay before update or delete or truncate on postings execute function never_changed();
create trigger commands_stay before update or delete or truncate on commands execute function never_changed();
create trigger heads_stay before update or delete or truncate on heads execute function never_changed();
