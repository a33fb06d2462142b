-- Trails, the money they moved, people, and the secrets of shuffles that are not revealed yet.

create table games (
  digest   text collate "C" primary key,
  text     text not null,
  readings text not null              -- JSON: reading, choice
);

create table tables (                 -- and other trails, of people and of the house
  id         text collate "C" primary key,
  game       text collate "C" references games (digest),   -- null where the trail is no table's
  created_at bigint not null,
  sequence   bigint not null,         -- of the last record
  head       text not null,           -- its digest
  last_at    bigint not null
) with (fillfactor = 70);

create table table_games (            -- all rules that a table ever had
  table_id text collate "C" not null references tables (id),
  digest   text collate "C" not null references games (digest),
  primary key (table_id, digest)
);

create table appends (                -- what a command led to: its records, and what they moved
  number         bigint generated always as identity primary key,   -- nearly in the order of writing
  table_id       text collate "C" not null,
  first_sequence bigint not null check (first_sequence > 0),
  last_sequence  bigint not null check (last_sequence >= first_sequence),
  command        text collate "C" not null,
  fingerprint    text not null,         -- of what was asked: a key is for that alone
  lines          bytea not null,      -- the records, as sql.py encodes them
  postings       text not null        -- JSON: for each record a list of [account, amount, balance after it]
);

create unique index appends_by_sequence on appends (table_id, last_sequence);
create unique index appends_by_command on appends (command, table_id);  -- keys of one moment stand together

-- The index of text search, filled behind the appends: the words of each.
create table words (
  number bigint primary key,
  words  tsvector not null
);
create index words_by_word on words using gin (words);
create table indexed (last bigint not null);   -- the number of the last append that is in it
insert into indexed values (0);

create table balances (
  table_id text collate "C" not null,
  account  text collate "C" not null,
  balance  bigint not null,
  may_owe  boolean not null,
  primary key (table_id, account),
  check (balance >= 0 or may_owe)
) with (fillfactor = 70);

create index balances_by_account on balances (account, table_id);

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
  primary key (table_id, sequence, key, at)
);

create table wallets (
  person  text collate "C" primary key,
  trail   text collate "C" not null unique references tables (id),
  balance bigint not null check (balance >= 0)
);

create table plays (                  -- what a round meant for a person
  person   text collate "C" not null,
  at       bigint not null,
  table_id text collate "C" not null,
  sequence bigint not null,
  kind     text collate "C" not null,
  round    bigint not null,
  staked   bigint not null,
  net      bigint not null,
  primary key (person, at, table_id, sequence, kind) include (net, staked)
);

create table rounds (                 -- where each stands in the trail: a register, not evidence
  table_id       text collate "C" not null,
  number         bigint not null,
  first_sequence bigint not null,
  last_sequence  bigint not null check (last_sequence >= first_sequence),
  started        bigint not null,
  ended          bigint not null,
  winner         text not null,
  primary key (table_id, number)
);

create table risks (                  -- at stake, of those who have a limit on losses; says nothing once the round is over
  person   text collate "C" not null,
  table_id text collate "C" not null,
  round    bigint not null,
  staked   bigint not null check (staked >= 0),
  primary key (person, table_id)
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

-- What was written stays as it was written.
create function never_changed() returns trigger language plpgsql as $$
begin
  raise exception '% are never changed', tg_table_name;
end $$;
create trigger appends_stay before update or delete or truncate on appends execute function never_changed();
create trigger plays_stay before update or delete or truncate on plays execute function never_changed();
create trigger heads_stay before update or delete or truncate on heads execute function never_changed();

alter table appends alter lines set storage external;   -- they are compressed already

-- What a settled round moves is one large value. To compress it as PostgreSQL does by itself (pglz) takes longer than everything else
-- of the commit. Where the server knows lz4, which takes little, whoever writes asks for that; where not, values stay as they are.
do $$
begin
  if not exists (select from pg_settings where name = 'default_toast_compression' and 'lz4' = any (enumvals)) then
    alter table appends alter postings set storage external;
    alter table states alter state set storage external;
  end if;
end $$;
