-- What those have at stake at each table who have a limit on what they lose. A row says nothing once its round is over.

create table risks (
  person   text not null,
  table_id text not null,
  round    integer not null,
  staked   integer not null check (staked >= 0),
  primary key (person, table_id)
) strict, without rowid;
