-- Looks up words like find_matches, but returns at most `max_matches` positions. A word that only last year's jobs have may be in hundreds of
-- thousands of them, and a page needs the first few in its order. Without sort keys, returns any of them. `sort_keys` are the columns of the
-- sort, and `missing_values` stand in for null in each of them. Only rows after the position `after_keys` are returned, if there is one.
-- find_matches stays for the previous release.
create function find_first_matches(records regclass, texts text[], alternatives jsonb, max_matches integer, sort_keys text[],
    missing_values text[], is_descending boolean, after_keys text[]) returns setof tid
  language plpgsql stable security definer rows 100
  set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_indexscan = off set max_parallel_workers_per_gather = 0 as $$
declare
  company constant uuid := public.current_company_id();
  tokens constant text := 'public.search_tokens(company_id, '
    || (select string_agg(quote_ident(name), ', ' order by place) from unnest(texts) with ordinality as t (name, place)) || ')';
  keys constant text[] := array(
    select case when missing is null then quote_ident(key) else format('case when %1$I is null then %2$L else %1$I end', key, missing) end
    from unnest(sort_keys, missing_values) with ordinality as k (key, missing, place) order by place);
  has_all_tokens boolean;
  has_tokens text;
  condition text;
begin
  select bool_and(cardinality(word_tokens) > 0), string_agg(format('%s @> %L', tokens, word_tokens), ' or ')
    into has_all_tokens, has_tokens
    from jsonb_array_elements(alternatives) as words, lateral (select array(
      select unnest(public.word_tokens(company, (w ->> 'place')::bigint, w ->> 'word', (w ->> 'at_start')::boolean))
      from jsonb_array_elements(words) as w) as word_tokens) as found;
  if has_all_tokens then
    -- Hashes may be equal by chance, so the company is compared too, in a way that no other index can be used for.
    condition := format('coalesce(company_id = $1, false) and (%s)', has_tokens);
  else
    -- Some letters are in no trigram. Looking up no tokens would read the entries of all companies.
    condition := 'company_id = $1';
  end if;
  if after_keys is not null then
    condition := format('%s and (%s) %s (%s)', condition, array_to_string(keys, ', '), case when is_descending then '<' else '>' end,
      (select string_agg(quote_literal(key), ', ' order by place) from unnest(after_keys) with ordinality as k (key, place)));
  end if;
  if cardinality(keys) > 0 then
    condition := format('%s order by %s', condition,
      (select string_agg(key || case when is_descending then ' desc' else ' asc' end, ', ' order by place)
        from unnest(keys) with ordinality as k (key, place)));
  end if;
  return query execute format('select ctid from %s where %s limit $2', records, condition) using company, max_matches;
end $$;
revoke execute on function find_first_matches from public;
grant execute on function find_first_matches to callout_app;
grant create on schema public to callout_system;
alter function find_first_matches owner to callout_system;
revoke create on schema public from callout_system;
