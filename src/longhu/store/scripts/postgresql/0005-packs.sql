-- A round that is settled is one large value. To compress it as PostgreSQL does by itself (pglz) takes longer than everything else of
-- the commit. Where the server knows lz4, which takes little, whoever writes asks for that; where not, values stay as they are.
do $$
begin
  if not exists (select from pg_settings where name = 'default_toast_compression' and 'lz4' = any (enumvals)) then
    alter table appends alter lines set storage external, alter postings set storage external;
    alter table states alter state set storage external;
  end if;
end $$;
