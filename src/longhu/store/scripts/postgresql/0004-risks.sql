-- What those have at stake at each table who have a limit on what they lose. A row says nothing once its round is over.

create table risks (
  person   text collate "C" not null,
  table_id text collate "C" not null,
  round    bigint not null,
  staked   bigint not null check (staked >= 0),
  primary key (person, table_id)
);
