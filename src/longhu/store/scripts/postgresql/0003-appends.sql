-- What a command led to is one row, with all its records and all that they moved: one write, however many there are.

create table appends (
  table_id       text collate "C" not null,
  first_sequence bigint not null check (first_sequence > 0),
  last_sequence  bigint not null check (last_sequence >= first_sequence),
  command        text collate "C" not null,
  lines          bytea not null,        -- the records byte for byte, with a line feed between two
  postings       text not null          -- JSON: for each record a list of [account, amount, balance after it]
);

insert into appends (table_id, first_sequence, last_sequence, command, lines, postings)
select c.table_id, c.first_sequence, c.last_sequence, c.command,
  (select string_agg(r.line, '\x0a'::bytea order by r.sequence) from records r
   where r.table_id = c.table_id and r.sequence between c.first_sequence and c.last_sequence),
  (select json_agg(coalesce((
     select json_agg(json_build_array(p.account, p.amount, p.balance) order by p.place) from postings p
     where p.table_id = r.table_id and p.sequence = r.sequence), '[]') order by r.sequence)::text from records r
   where r.table_id = c.table_id and r.sequence between c.first_sequence and c.last_sequence)
from commands c order by c.table_id, c.first_sequence;

create table left_behind (records bigint constraint left_behind check (records = 0));  -- each record belongs to a command, or nothing is changed
insert into left_behind
select (select count(*) from records) - coalesce(sum(last_sequence - first_sequence + 1), 0) from appends;
drop table left_behind;

create unique index appends_by_sequence on appends (table_id, last_sequence);
create unique index appends_by_command on appends (table_id, command);
create index balances_by_account on balances (account, table_id);

alter table heads drop constraint if exists heads_table_id_sequence_fkey;
alter table heads drop constraint if exists heads_table_id_fkey;

drop table records;
drop table postings;
drop table commands;

create trigger appends_stay before update or delete or truncate on appends execute function never_changed();

alter table tables set (fillfactor = 70);    -- these change with every append: there is room for it on the page
alter table balances set (fillfactor = 70);
