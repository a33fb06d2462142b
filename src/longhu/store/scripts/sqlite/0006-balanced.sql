-- What accounts hold stands with the postings of every append. Rows of their own say it up to this record: they need not change with
-- every wager.
alter table tables add column balanced integer not null default 0 check (balanced <= sequence);
update tables set balanced = sequence;

-- Whoever does not know this must not take a row for what an account holds now: by its old name it is not found.
alter table balances rename column balance to held;
