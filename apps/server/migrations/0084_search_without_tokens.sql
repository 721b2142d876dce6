-- Some letters are in no trigram. A word of such letters has no tokens, and looking up no tokens read the entries of all companies. All rows
-- of the company may match such a word, so they are returned instead.
create or replace function find_matches(records regclass, texts text[], alternatives jsonb) returns setof tid
  language plpgsql stable security definer rows 100
  set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_indexscan = off set max_parallel_workers_per_gather = 0 as $$
declare
  company constant uuid := public.current_company_id();
  tokens constant text := 'public.search_tokens(company_id, '
    || (select string_agg(quote_ident(name), ', ' order by place) from unnest(texts) with ordinality as t (name, place)) || ')';
  has_all_tokens boolean;
  has_tokens text;
begin
  select bool_and(cardinality(word_tokens) > 0), string_agg(format('%s @> %L', tokens, word_tokens), ' or ')
    into has_all_tokens, has_tokens
    from jsonb_array_elements(alternatives) as words, lateral (select array(
      select unnest(public.word_tokens(company, (w ->> 'place')::bigint, w ->> 'word', (w ->> 'at_start')::boolean))
      from jsonb_array_elements(words) as w) as word_tokens) as found;
  if has_all_tokens then
    -- Hashes may be equal by chance, so the company is compared too, in a way that no other index can be used for.
    return query execute format('select ctid from %s where coalesce(company_id = $1, false) and (%s)', records, has_tokens) using company;
  else
    return query execute format('select ctid from %s where company_id = $1', records) using company;
  end if;
end $$;
