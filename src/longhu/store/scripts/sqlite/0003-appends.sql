-- What a command led to is one row, with all its records and all that they moved: one write, however many there are.

create table appends (
  number         integer primary key,   -- in the order of writing
  table_id       text not null,
  first_sequence integer not null check (first_sequence > 0),
  last_sequence  integer not null check (last_sequence >= first_sequence),
  command        text not null,
  lines          blob not null,         -- the records byte for byte, with a line feed between two
  postings       text not null          -- JSON: for each record a list of [account, amount, balance after it]
) strict;

insert into appends (table_id, first_sequence, last_sequence, command, lines, postings)
select c.table_id, c.first_sequence, c.last_sequence, c.command,
  (select cast(group_concat(cast(r.line as text), char(10) order by r.sequence) as blob) from records r
   where r.table_id = c.table_id and r.sequence between c.first_sequence and c.last_sequence),
  (select json_group_array(json((
     select json_group_array(json_array(p.account, p.amount, p.balance) order by p.place) from postings p
     where p.table_id = r.table_id and p.sequence = r.sequence)) order by r.sequence) from records r
   where r.table_id = c.table_id and r.sequence between c.first_sequence and c.last_sequence)
from commands c order by c.table_id, c.first_sequence;

create table left_behind (records integer constraint left_behind check (records = 0));  -- each record belongs to a command, or nothing is changed
insert into left_behind
select (select count(*) from records) - coalesce(sum(last_sequence - first_sequence + 1), 0) from appends;
drop table left_behind;

create unique index appends_by_sequence on appends (table_id, last_sequence);
create unique index appends_by_command on appends (table_id, command);
create index balances_by_account on balances (account, table_id);

create table signed_heads (
  table_id  text not null,
  sequence  integer not null,
  digest    text not null,
  at        integer not null,
  key       text not null,
  signature text not null,
  primary key (table_id, sequence, key, at)
) strict, without rowid;
insert into signed_heads select table_id, sequence, digest, at, key, signature from heads;
drop table heads;
alter table signed_heads rename to heads;

drop table records;
drop table postings;
drop table commands;

create trigger appends_no_update before update on appends begin select raise(abort, 'appends are never changed'); end;
create trigger appends_no_delete before delete on appends begin select raise(abort, 'appends are never changed'); end;
create trigger heads_no_update before update on heads begin select raise(abort, 'heads are never changed'); end;
create trigger heads_no_delete before delete on heads begin select raise(abort, 'heads are never changed'); end;
